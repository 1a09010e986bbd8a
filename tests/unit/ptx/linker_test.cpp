// Expected texts follow from PTX ISA, "Linking Directives", and from what nvcc -rdc=true writes.
#include "ptx/linker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "ptx/parser.h"

namespace warpfork::ptx {
namespace linker_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kHead = ".version 7.0\n.target sm_70\n.address_size 64\n";

std::string linked(const std::vector<std::string>& bodies) {
  std::vector<std::string> units;
  for (const std::string& body : bodies) units.push_back(kHead + body);
  return link(units, "program.ptx");
}

Module module_of(const std::vector<std::string>& bodies) { return parse(linked(bodies), "program.ptx"); }

std::vector<std::string> names_of_variables(const Module& module) {
  std::vector<std::string> names;
  for (const Variable& variable : module.variables) names.push_back(variable.name);
  return names;
}

TEST(Linker, leaves_a_single_unit_as_it_is) {
  const std::string text = kHead + ".visible .global .u32 a;\n";
  EXPECT_EQ(link(std::vector{text}, "program.ptx"), text);
}

TEST(Linker, a_declaration_meets_the_definition_of_another_unit) {
  const Module module = module_of({".extern .func f (.param .b32 x);\n.visible .entry k() { call f, (1); ret; }\n",
                                   ".visible .func f (.param .b32 x) { ret; }\n"});
  ASSERT_NE(module.find_function("f"), nullptr);
  EXPECT_FALSE(module.find_function("f")->is_declaration);
  EXPECT_NE(module.find_function("k"), nullptr);
}

TEST(Linker, takes_of_an_archive_what_is_needed_alone) {
  const std::string user = kHead + ".extern .func f ();\n.visible .entry k() { call f, (); ret; }\n";
  const std::string f = kHead + ".extern .func g ();\n.visible .func f () { call g, (); ret; }\n";
  const std::string g = kHead + ".visible .func g () { ret; }\n", h = kHead + ".visible .func h () { ret; }\n";
  const std::string own_g = kHead + ".func g () { ret; }\n";  // which no other unit sees
  EXPECT_THAT(needed_units(std::vector{user}, std::vector{h, own_g, g, f}, "x"), ElementsAre(f, g));
  EXPECT_THAT(needed_units(std::vector{user, f, g}, std::vector{h, g}, "x"), ElementsAre());
}

// nvcc declares the pointers of a table as bytes.
TEST(Linker, a_variable_may_be_declared_with_another_type) {
  const Module module = module_of(
      {".extern .global .align 8 .b8 table[16];\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, table; ret; }\n",
       ".visible .global .align 8 .u64 table[2] = {1, 2};\n"});
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.find_variable("table")->type, ScalarType::U64);
  EXPECT_FALSE(module.find_variable("table")->is_extern);
}

TEST(Linker, a_variable_may_be_used_before_the_unit_that_defines_it) {
  const std::string use =
      ".visible .entry k() { .reg .u64 %d; ld.global.u64 %d, [table+8]; st.global.u64 last[1], %d; }\n";
  const Module module = module_of({".extern .global .align 8 .b8 table[16];\n.extern .global .u64 last[];\n" + use,
                                   ".visible .global .attribute(.managed) .align 16 .u64 table[2] = {f, 2}, last[2];\n"
                                   ".func f { ret; }\n"});
  EXPECT_THAT(names_of_variables(module), ElementsAre("table", "last"));
  EXPECT_TRUE(module.find_variable("table")->is_managed);
  EXPECT_EQ(module.find_variable("table")->alignment, 16u);
  EXPECT_EQ(module.find_variable("table")->relocations.size(), 1u);
  EXPECT_EQ(module.find_variable("last")->bytes, 16u);
}

TEST(Linker, what_no_unit_defines_stays_extern) {
  const Module module =
      module_of({".extern .global .u32 a;\n.extern .shared .b8 s[];\n", ".extern .shared .b8 s[];\n"});
  EXPECT_THAT(names_of_variables(module), ElementsAre("a", "s"));
  EXPECT_TRUE(module.find_variable("a")->is_extern);
}

TEST(Linker, names_that_units_keep_to_themselves_are_made_different_with_their_uses) {
  const std::string text = linked({".global .b8 $str[2] = {65, 0};\n.visible .entry a() { ret; }\n",
                                   ".global .b8 $str[2] = {66, 0};\n.global .u64 p = generic($str);\n"
                                   ".visible .entry b() { .reg .u64 %d; mov.u64 %d, $str; ret; }\n"});
  EXPECT_THAT(names_of_variables(parse(text, "program.ptx")), ElementsAre("$str", "$str$2", "p"));
  EXPECT_THAT(text, HasSubstr("generic($str$2)"));
  EXPECT_THAT(text, HasSubstr("mov.u64 %d, $str$2;"));
}

// nvcc calls the strings of each unit $str, $str$1, $str$2.
TEST(Linker, a_new_name_is_none_that_another_unit_has) {
  const std::string strings = ".global .b8 $str[1];\n.global .b8 $str$1[1];\n.global .b8 $str$2[1];\n";
  const Module module = module_of({strings, strings, ".global .b8 $str$2$2;\n"});
  EXPECT_THAT(names_of_variables(module),
              ElementsAre("$str", "$str$1", "$str$2", "$str$5", "$str$1$2", "$str$2$5", "$str$2$2"));
}

TEST(Linker, a_name_of_ones_own_gives_way_to_one_that_all_share) {
  const std::string text =
      linked({".func f { ret; }\n.visible .entry k() { call f; ret; }\n", ".visible .func f { ret; }\n"});
  EXPECT_THAT(text, HasSubstr(".func f$1 { ret; }"));
  EXPECT_THAT(text, HasSubstr("call f$1;"));
  EXPECT_THAT(text, HasSubstr(".visible .func f { ret; }"));
}

TEST(Linker, of_weak_definitions_the_first_is_taken_unless_there_is_a_visible_one) {
  const std::string weak = ".weak .func f { bar.sync 0; ret; }\n", other = ".weak .func f { ret; }\n";
  EXPECT_EQ(module_of({weak, other}).find_function("f")->body.size(), 2u);
  EXPECT_EQ(module_of({other, weak}).find_function("f")->body.size(), 1u);
  EXPECT_EQ(module_of({weak, ".visible .func f { ret; }\n"}).find_function("f")->body.size(), 1u);
  EXPECT_EQ(module_of({".weak .global .u32 a, b;\n", ".weak .global .u32 a, b;\n"}).variables.size(), 2u);
}

TEST(Linker, what_is_left_out_takes_its_names_with_it) {
  const std::string unit = ".func own { ret; }\n.weak .func shared { call own; ret; }\n.func last { ret; }\n";
  const std::string text = linked({unit, unit});
  EXPECT_EQ(text.find("call own$2"), std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr(".func own$2 { ret; }"));
  EXPECT_THAT(text, HasSubstr(".func last$2 { ret; }"));
  EXPECT_EQ(parse(text, "program.ptx").functions.size(), 5u);
}

// nvcc makes one of two functions with the same body, a constructor's two forms above all, an alias of the other.
TEST(Linker, an_alias_is_a_definition_of_which_units_may_have_one_each) {
  const std::string unit = ".func body { ret; }\n.weak .func twin;\n.alias twin, body;\n";
  const Module module = module_of({".extern .func twin;\n.visible .entry k() { call twin; ret; }\n", unit, unit});
  EXPECT_EQ(module.aliases.size(), 1u);
  EXPECT_EQ(module.aliases.at("twin"), "body");
  EXPECT_NE(module.find_function("body$3"), nullptr);  // nobody calls it
}

TEST(Linker, two_definitions_for_all_are_refused) {
  EXPECT_THAT(
      [] {
        linked({".visible .global .u32 a;\n", "", ".visible .global .u32 a;\n"});
      },
      ThrowsMessage<Error>(HasSubstr("program.ptx: 'a' is defined in source file 1 and in source file 3 of 3")));
}

TEST(Linker, files_of_each_unit_have_numbers_of_their_own) {
  const std::string unit =
      ".visible .entry NAME() {\n.loc 1 5 0\n.loc 2 7 3, function_name $L0, inlined_at 1 5 0\nret;\n}\n"
      ".file 1 \"NAME.cu\"\n.file 2 \"NAME.h\"\n.section .debug_str {\n$L0:\n.b8 95,0\n}\n";
  const auto of = [&](const std::string& name) {
    std::string text = unit;
    for (std::size_t at = 0; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
    return text;
  };
  const std::string text = linked({of("a"), of("b")});
  EXPECT_THAT(text, HasSubstr(".loc 4 7 3, function_name $L0, inlined_at 3 5 0"));
  const Module module = parse(text, "program.ptx");
  EXPECT_EQ(module.source_name(module.find_function("a")->body.front().location), "a.h");
  EXPECT_EQ(module.source_name(module.find_function("b")->body.front().location), "b.h");
}

TEST(Linker, the_head_is_that_of_the_newest_and_highest) {
  const std::vector<std::string> units = {".version 7.8\n.target sm_80\n.address_size 64\n",
                                          ".version 7.10\n.target sm_75, debug\n.address_size 64\n"};
  const std::string text = link(units, "program.ptx");
  EXPECT_THAT(text, testing::StartsWith(".version 7.10\n.target sm_80\n.address_size 64\n"));
  EXPECT_EQ(std::ranges::count(text, '.'), 4) << text;
  const std::vector<std::string> debugged = {".version 7.8\n.target sm_80, debug\n.address_size 64\n", kHead};
  EXPECT_THAT(link(debugged, "program.ptx"), HasSubstr(".target sm_80, debug\n"));
  EXPECT_THAT(
      [] {
        link(std::vector{kHead, std::string(".version 7.0\n.target sm_70\n.address_size 32\n")}, "program.ptx");
      },
      ThrowsMessage<Error>(HasSubstr("different .address_size (64 and 32)")));
}

TEST(Linker, text_that_ends_in_the_middle_is_refused) {
  for (const std::string body : {".visible .func f {", ".global .u32 a = {1,", ".visible .entry", ".section .debug_str",
                                 ".extern .func f (", "ret;"})
    EXPECT_THROW(linked({"", body}), Error) << body;
}

}  // namespace linker_test
}  // namespace warpfork::ptx
