// Directives of a module, and what is wrong with them (PTX ISA, "PTX Module Directives", "Debugging Directives").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace directive_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The text is a whole module.
class DirectiveError : public testing::TestWithParam<Fault> {};

TEST_P(DirectiveError, names_place_cause_and_remedy) { expect_fault(GetParam(), error_of(GetParam().text)); }

const Fault kHeads[] = {
    {".target sm_20", "1:1", "expected '.version' at the beginning of PTX text, found '.target'", ""},
    {".version 7\n", "1:10", "malformed version", "as in '.version 7.0'"},
    {".version 7.x\n", "1:10", "malformed number", ""},
    {".version 0.9\n", "1:10", "PTX version 0.9 is not known", "known: 1.4 to 9.0"},
    {".version 1.3\n", "1:10", "PTX version 1.3, whose kernels have their parameters in their bodies",
     "supported: 1.4 to 9.0; compile the program by nvcc of CUDA 2.2 or later"},
    {".version 10.0\n", "1:10", "PTX version 10.0 is not known", "known: 1.4 to 9.0"},
    {".version 7.0\n.target 20", "2:9", "expected a target, as in 'sm_20', found '20'", ""},
    {".version 7.0\n.target sm_20,", "2:15", "expected a target, as in 'sm_20', found the end of the text", ""},
    {".version 7.0\n.entry k { ret; }", "2:18", "the text has no .target", "add, say, '.target sm_20' behind .version"},
    {".version 7.0\n.target foo", "2:9", "'foo' is no target", "targets are sm_20, sm_90a"},
    {".version 7.0\n.target sm_", "2:9", "'sm_' is no target", ""},
    {".version 7.0\n.target sm_9z", "2:9", "'sm_9z' is no target", ""},
    {".version 7.0\n.target sm_90x", "2:9", "'sm_90x' is no target", ""},
    {".version 7.0\n.target sm_2", "2:9", "'sm_2' is no target", ""},
    {".version 7.0\n.target sm_1000", "2:9", "'sm_1000' is no target", ""},
    {".version 7.0\n.target debug", "2:9", "'debug' is no target", ""},
    {".version 7.0\n.target sm_20, frob", "2:16", "'frob' is no target", "behind one: texmode_unified, "},
    {".version 7.0\n.address_size 16", "2:15", "the address size must be 32 or 64", ""},
    {".version 7.0\n.address_size -32", "2:15", "the address size must be 32 or 64", ""},
    {".version 7.0\n.address_size 32.0", "2:15", "the address size must be 32 or 64", ""},
    {".version 7.0\n.address_size 48", "2:15", "the address size must be 32 or 64", ""},
};
INSTANTIATE_TEST_SUITE_P(Heads, DirectiveError, testing::ValuesIn(kHeads));

const Fault kOthers[] = {
    {".version 7.0\nret;", "2:1", "expected a directive, as in '.entry', found 'ret'", ""},
    {".version 7.0\n.regs .u32 x;", "2:1", "unknown directive '.regs'", "allowed here: .entry .func .global"},
    {".version 7.0\n.visible x", "2:10", "expected a directive, as in '.entry', found 'x'", ""},
    {".version 7.0\n.visible .weak .reg .u32 x;", "2:16", "unknown directive '.reg'", ""},
    {".version 7.0\n.file a.cu", "2:7", "expected a constant, found 'a'", ""},
    {".version 7.0\n.file 1 a", "2:9", "expected the name of a file, found 'a'", ""},
    {".version 7.0\n.file -1 \"a\"", "2:7", "the number of a file must be an integer from 0", ""},
    {".version 7.0\n.section x { }", "2:10", "expected the name of a section, as in '.debug_info', found 'x'", ""},
    {".version 7.0\n.section .debug_str { .b8 1", "2:21", "'{' is not closed", ""},
    {".version 7.0\n.section .debug_str .b8", "2:21", "expected '{', found '.b8'", ""},
    {".version 7.0\n.alias a;", "2:9", "expected ',', found ';'", ""},
    {".version 7.0\n.target sm_70\n.alias a, b;", "3:11", "'b' is not declared", "names of this module: a"},
    {".version 7.0\n.loc 1 2", "2:9", "expected a constant, found the end of the text", ""},
    {".version 7.0\n.pragma 5;", "2:9", "expected a string, found '5'", ""},
};
INSTANTIATE_TEST_SUITE_P(Others, DirectiveError, testing::ValuesIn(kOthers));

TEST(Directive, the_first_word_of_targets_is_the_target_and_the_others_are_options) {
  const Module module = parse_text(".version 8.0\n.target sm_80, texmode_independent, debug\n.target sm_80\n");
  EXPECT_EQ(module.target, "sm_80");
  EXPECT_THAT(module.target_options, ElementsAre("texmode_independent", "debug"));
}

TEST(Directive, a_targets_number_is_its_architecture_whatever_stands_around_it) {
  for (const auto& [target, number] : {std::pair{"sm_20", 20u},
                                       {"sm_90a", 90u},
                                       {"sm_100f", 100u},
                                       {"compute_75", 75u},
                                       {"sm_10", 10u},
                                       {"sm_999", 999u}})
    EXPECT_EQ(parse_text(std::string(".version 8.0\n.target ") + target + "\n").architecture(), number);
}

TEST(Directive, versions_have_a_minor_number_of_their_own) {
  const Module module = parse_text(".version 1.4\n.target sm_10\n");
  EXPECT_EQ(module.version_major, 1u);
  EXPECT_EQ(module.version_minor, 4u);
}

TEST(Directive, a_module_may_hold_nothing_but_its_head) {
  const Module module = parse_text(kHead + ";;\n");
  EXPECT_THAT(module.functions, IsEmpty());
  EXPECT_THAT(module.variables, IsEmpty());
  EXPECT_EQ(module.find_function("k"), nullptr);
  EXPECT_EQ(module.find_variable("x"), nullptr);
}

TEST(Directive, an_alias_is_no_function_of_its_own) {
  const Module module = parse_text(kHead + ".func f { ret; }\n.func g;\n.alias g, f;\n");
  EXPECT_EQ(module.aliases.at("g"), "f");
  EXPECT_EQ(module.functions.size(), 2u);
}

TEST(Directive, functions_stand_in_the_order_of_their_definitions) {
  const Module module = parse_text(kHead + ".func b;\n.func a { ret; }\n.func b { ret; }\n.entry c { ret; }\n");
  std::vector<std::string> names;
  for (const Function& function : module.functions) names.push_back(function.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

TEST(Directive, a_prototype_that_is_repeated_is_one_function) {
  const Module module = parse_text(kHead + ".func f(.param .b32 a);\n.func f(.param .u32 b);\n");
  EXPECT_EQ(module.functions.size(), 1u);
}

TEST(Directive, an_extern_variable_that_is_repeated_is_one_variable) {
  const Module module = parse_text(kHead + ".global .u32 x;\n.extern .global .u32 x;\n.extern .global .u32 y;\n");
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_FALSE(module.find_variable("x")->is_extern);
  EXPECT_TRUE(module.find_variable("y")->is_extern);
}

TEST(Directive, a_variable_and_a_function_cannot_have_one_name) {
  EXPECT_THAT(error_of(kHead + ".global .u32 f;\n.func f { ret; }"), HasSubstr("'f' is defined twice in this module"));
  EXPECT_THAT(error_of(kHead + ".func f { ret; }\n.global .u32 f;"), HasSubstr("'f' is defined twice in this module"));
}

TEST(Directive, an_old_location_may_stand_before_an_entry) {
  EXPECT_EQ(parse_text(kHead + ".loc 1 2 3\n.entry k { ret; }").functions.size(), 1u);
}

TEST(Directive, sections_may_hold_anything_up_to_their_brace) {
  const Module module = parse_text(kHead + ".section .debug_info {\n.b32 .debug_abbrev\n$ ` ?\n}\n.entry k { ret; }");
  EXPECT_EQ(module.functions.at(0).location.line, 8u);
}

TEST(Place, is_a_line_of_ptx_and_of_the_source_where_it_is_known) {
  const Module module =
      parse_text(kHead + ".file 1 \"/home/a/copy.cu\"\n.entry k {\n.loc 1 7 0\nexit;\n.loc 2 9 0\nret; }");
  const Function& k = module.functions.at(0);
  EXPECT_EQ(module.place_text(k.body[0].location), "PTX line 7, copy.cu:7");
  EXPECT_EQ(module.place_text(k.body[1].location), "PTX line 9") << "file 2 has no name";
  EXPECT_EQ(module.source_name(k.body[0].location), "copy.cu");
  EXPECT_EQ(module.source_name(k.location), "");
}

// PTX ISA, "Kernel Function Parameters": each lies at a multiple of its alignment.
TEST(Parameters, lie_one_behind_the_other_at_their_alignments) {
  const auto offsets = [](const std::string& list) {
    return parse_text(kHead + ".entry k(" + list + ") { ret; }").functions.at(0).parameter_offsets();
  };
  EXPECT_THAT(offsets(".param .u8 a, .param .u8 b"), ElementsAre(0, 1));
  EXPECT_THAT(offsets(".param .u8 a, .param .u16 b, .param .u32 c"), ElementsAre(0, 2, 4));
  EXPECT_THAT(offsets(".param .u32 a, .param .align 16 .b8 b[3], .param .u8 c"), ElementsAre(0, 16, 19));
}

const Fault kAliases[] = {
    {".version 7.0\n.target sm_70\n.func f { ret; }\n.func g { ret; }\n.alias g, f;", "5:8", "'g' is defined already",
     "a name of its own"},
    {".version 7.0\n.target sm_70\n.func f { ret; }\n.alias f, f;", "4:8", "'f' is defined already", ""},
    {".version 7.0\n.target sm_70\n.global .u32 g;\n.func f { ret; }\n.alias g, f;", "5:8", "'g' is defined already",
     ""},
    {".version 7.0\n.target sm_70\n.func f { ret; }\n.alias 5, f;", "4:8", "expected the alias, found '5'", ""},
    {".version 7.0\n.target sm_70\n.func f { ret; }\n.alias g, f", "4:12", "expected ';', found the end", ""},
};
INSTANTIATE_TEST_SUITE_P(Aliases, DirectiveError, testing::ValuesIn(kAliases));

TEST(Directive, an_alias_is_found_as_the_function_that_it_stands_for) {
  const Module module = parse_text(kHead + ".func f { ret; }\n.func g;\n.alias g, f;\n.alias h, f;\n");
  EXPECT_EQ(module.find_function("g"), module.find_function("f"));
  EXPECT_EQ(module.find_function("h"), module.find_function("f"));
  EXPECT_EQ(module.find_function("i"), nullptr);
}

TEST(Directive, versions_are_known_up_to_9) {
  for (const char* version : {"1.4", "2.0", "4.3", "8.8", "9.0"})
    EXPECT_NO_THROW(parse_text(std::string(".version ") + version + "\n.target sm_20\n")) << version;
  for (const char* version : {"0.9", "10.0", "7", "7.0.1", "-7.0", "07", "7.0e0"})
    EXPECT_THROW(parse_text(std::string(".version ") + version + "\n.target sm_20\n"), Error) << version;
}

TEST(Directive, addresses_have_32_or_64_bits) {
  const auto bits = [](const std::string& size) {
    return parse_text(".version 7.0\n.target sm_20\n.address_size " + size + "\n").address_bits;
  };
  EXPECT_EQ(bits("32"), 32u);
  EXPECT_EQ(bits("64"), 64u);
  for (const char* size : {"31", "33", "63", "65", "0", "128"}) EXPECT_THROW(bits(size), Error) << size;
}

TEST(Directive, linkage_may_stand_before_functions_and_variables) {
  for (const char* word : {"", ".visible ", ".weak "}) {
    const Module module = parse_text(kHead + word + ".entry k { ret; }\n" + word + ".func f { ret; }\n");
    EXPECT_TRUE(module.find_function("k")->is_entry) << word;
    EXPECT_FALSE(module.find_function("f")->is_declaration) << word;
  }
  EXPECT_TRUE(parse_text(kHead + ".common .global .u32 x;\n").variables.at(0).is_visible);
}

TEST(Directive, a_definition_behind_an_extern_declaration_is_no_longer_extern) {
  const Module module =
      parse_text(kHead + ".extern .func f(.param .b32 a);\n.visible .func f(.param .b32 a) { ret; }\n" +
                 ".extern .const .f32 c;\n.visible .const .f32 c = 1.0;\n");
  EXPECT_FALSE(module.find_function("f")->is_declaration);
  EXPECT_FALSE(module.find_variable("c")->is_extern);
  EXPECT_EQ(module.find_variable("c")->initial.size(), 4u);
}

TEST(Directive, a_file_may_have_a_time_and_a_size) {
  const Module module = parse_text(kHead + ".file 4294967295 \"a b.cu\", 1339013327, 64118\n.file 0x2 \"c.h\"\n");
  EXPECT_EQ(module.source_files.at(4294967295u), "a b.cu");
  EXPECT_EQ(module.source_files.at(2), "c.h");
  EXPECT_THAT(error_of(kHead + ".file 4294967296 \"a.cu\""), HasSubstr("must be an integer from 0 to 4294967295"));
}

}  // namespace directive_test
}  // namespace warpfork::ptx
