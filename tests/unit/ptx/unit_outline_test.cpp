// What of one unit's text the linker has to know (PTX ISA, "Linking Directives", "Module Directives").
#include "ptx/unit_outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::ptx {
namespace unit_outline_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;
using Linkage = UnitOutline::Linkage;

UnitOutline outline_of(const std::string& text) { return UnitOutline::of(Source(text, "t.ptx")); }

/// "name linkage definition|declaration variable|code" of each symbol.
std::vector<std::string> symbols_of(const std::string& text) {
  static constexpr std::string_view kLinkages[] = {"local", "extern", "visible", "weak"};
  std::vector<std::string> symbols;
  for (const UnitOutline::Symbol& symbol : outline_of(text).symbols)
    symbols.push_back(fmt::format("{} {} {} {}", symbol.name, kLinkages[static_cast<std::size_t>(symbol.linkage)],
                                  symbol.is_definition ? "definition" : "declaration",
                                  symbol.is_variable ? "variable" : "code"));
  return symbols;
}

/// The text of each symbol's range.
std::vector<std::string> ranges_of(const std::string& text) {
  std::vector<std::string> ranges;
  for (const UnitOutline::Symbol& symbol : outline_of(text).symbols)
    ranges.push_back(text.substr(symbol.range.begin, symbol.range.end - symbol.range.begin));
  return ranges;
}

TEST(UnitOutline, has_the_head_and_where_it_stands) {
  const std::string text = ".version 8.1\n.target sm_80, debug, texmode_unified\n.address_size 64\n";
  const UnitOutline outline = outline_of(text);
  EXPECT_EQ(outline.version, "8.1");
  EXPECT_EQ(outline.target, "sm_80");
  EXPECT_THAT(outline.target_options, ElementsAre("debug", "texmode_unified"));
  EXPECT_EQ(outline.address_bits, 64u);
  ASSERT_EQ(outline.header.size(), 3u);
  EXPECT_EQ(text.substr(outline.header[1].begin, outline.header[1].end - outline.header[1].begin),
            ".target sm_80, debug, texmode_unified");
}

TEST(UnitOutline, knows_who_else_may_have_a_name) {
  EXPECT_THAT(symbols_of(".func a { ret; }\n.extern .func b;\n.visible .entry c() { ret; }\n.weak .func d { ret; }\n"),
              ElementsAre("a local definition code", "b extern declaration code", "c visible definition code",
                          "d weak definition code"));
  EXPECT_THAT(symbols_of(".global .u32 a;\n.extern .shared .b8 b[];\n.visible .const .f32 c = 1.0;\n.common .global "
                         ".u32 d;\n.weak .global .u32 e;\n"),
              ElementsAre("a local definition variable", "b extern declaration variable",
                          "c visible definition variable", "d weak definition variable", "e weak definition variable"));
}

TEST(UnitOutline, sees_a_declaration_end_where_the_next_begins) {
  EXPECT_THAT(symbols_of(".visible .func f(.param .u32 a)\n.visible .func f(.param .u32 a) { ret; }"),
              ElementsAre("f visible declaration code", "f visible definition code"));
}

TEST(UnitOutline, takes_an_alias_for_a_weak_definition) {
  EXPECT_THAT(symbols_of(".func f { ret; }\n.weak .func g;\n.alias g, f;\n"),
              ElementsAre("f local definition code", "g weak declaration code", "g weak definition code"));
}

TEST(UnitOutline, finds_names_behind_attributes_types_and_parameters) {
  EXPECT_THAT(symbols_of(".global .attribute(.managed) .align 8 .v2 .u32 a[2], b, c[2][3] = {{1}, {2}};\n"
                         ".func (.param .b32 r) f (.param .b64 p, .param .b32 q) .noreturn { { ret; } }\n"),
              ElementsAre("a local definition variable", "b local definition variable", "c local definition variable",
                          "f local definition code"));
}

TEST(UnitOutline, takes_no_name_of_a_value_for_one_of_its_own) {
  EXPECT_THAT(symbols_of(".global .u64 table[3] = {f, generic(x)+8, 0xff(y)}, last = z;\n"),
              ElementsAre("table local definition variable", "last local definition variable"));
}

TEST(UnitOutline, tells_where_each_symbol_stands) {
  EXPECT_THAT(ranges_of("  .weak .func f (.param .b32 x)\n{ ret; }\n.weak .func g;\n.alias g, f;\n"),
              ElementsAre(".weak .func f (.param .b32 x)\n{ ret; }", ".weak .func g;", ".alias g, f;"));
  EXPECT_THAT(ranges_of("// .global .u32 no;\n.global .u32 a, b = 3; .global .b8 s[] = {1};"),
              ElementsAre(".global .u32 a, b = 3;", ".global .u32 a, b = 3;", ".global .b8 s[] = {1};"));
}

TEST(UnitOutline, tells_how_each_variable_is_declared) {
  const std::string text = ".visible .global .align 8 .u64 a[2] = {f, 2}, b, c[2][3];\n.const .f32 d = 1.0;\n";
  std::vector<std::string> declared;
  for (const UnitOutline::Symbol& symbol : outline_of(text).symbols)
    for (const UnitOutline::Range& range : {symbol.type, symbol.declarator})
      declared.push_back(text.substr(range.begin, range.end - range.begin));
  const std::string type = ".global .align 8 .u64";
  EXPECT_THAT(declared, ElementsAre(type, "a[2]", type, "b", type, "c[2][3]", ".const .f32", "d"));
}

TEST(UnitOutline, passes_over_bodies_sections_and_strings) {
  EXPECT_THAT(symbols_of(".pragma \"}{\";\n.section .debug_str {\n$L1:\n.b8 7\n}\n.func f { .pragma \"}\"; { .reg .b32 "
                         "%r; } ret; }\n.loc 1 2 3\n.global .u32 a;\n;\n"),
              ElementsAre("f local definition code", "a local definition variable"));
}

TEST(UnitOutline, counts_files_by_their_highest_number) {
  EXPECT_EQ(outline_of(".file 2 \"b.cu\", 123, 45\n.file 1 \"a.cu\"\n").most_file, 2u);
  EXPECT_EQ(outline_of("").most_file, 0u);
  EXPECT_THAT(outline_of("").symbols, IsEmpty());
}

TEST(UnitOutline, refuses_what_is_no_directive_or_does_not_end) {
  EXPECT_THAT([] { outline_of("ret;"); }, ThrowsMessage<Error>(HasSubstr("expected a directive, as in '.entry'")));
  EXPECT_THAT([] { outline_of(".func f { ret;"); }, ThrowsMessage<Error>(HasSubstr("expected more")));
  EXPECT_THAT([] { outline_of(".global .u32 a"); }, ThrowsMessage<Error>(HasSubstr("expected more")));
  EXPECT_THAT([] { outline_of(".entry { ret; }"); }, ThrowsMessage<Error>(HasSubstr("the name of a function")));
}

}  // namespace unit_outline_test
}  // namespace warpfork::ptx
