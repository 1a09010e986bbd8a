#include "compiler/literal_percents.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace literal_percents_test {

TEST(LiteralPercents, names_behind_one_sign_get_two) {
  EXPECT_EQ(with_literal_percents(R"(asm("mov.u32 %0, %laneid;" : "=r"(x));)"),
            R"(asm("mov.u32 %0, %%laneid;" : "=r"(x));)");
  EXPECT_EQ(with_literal_percents(R"(__asm__ __volatile__("mov.u32 %0, %tid.x;" : "=r"(x));)"),
            R"(__asm__ __volatile__("mov.u32 %0, %%tid.x;" : "=r"(x));)");
}

TEST(LiteralPercents, operands_and_doubled_signs_stay) {
  constexpr const char* kText = R"(asm volatile("add %0, %[a], %%clock; %c1 %{ %=" : "=r"(x) : [a] "r"(y), "n"(3));)";
  EXPECT_EQ(with_literal_percents(kText), kText);
}

TEST(LiteralPercents, text_may_be_of_several_literals) {
  EXPECT_EQ(with_literal_percents("asm(\"{\\n\\t\"\n \"mov.u32 %0, %\"\n \"smid;}\" : \"=r\"(x));"),
            "asm(\"{\\n\\t\"\n \"mov.u32 %0, %\"\n \"smid;}\" : \"=r\"(x));");
  EXPECT_EQ(with_literal_percents("asm(\"{\\n\\t\"\n \"mov.u32 %0, %smid;}\" : \"=r\"(x));"),
            "asm(\"{\\n\\t\"\n \"mov.u32 %0, %%smid;}\" : \"=r\"(x));");
  EXPECT_EQ(with_literal_percents(R"(asm(R"-(mov.u32 %0, %smid;)-" : "=r"(x));)"),
            R"(asm(R"-(mov.u32 %0, %%smid;)-" : "=r"(x));)");
}

TEST(LiteralPercents, text_without_operands_stays) {
  constexpr const char* kText = R"(asm("{ .reg .u32 %r; mov.u32 %r, %laneid; }"); f("%laneid");)";
  EXPECT_EQ(with_literal_percents(kText), kText);
}

TEST(LiteralPercents, only_the_text_of_a_statement_changes) {
  constexpr const char* kText =
      R"-(const char* s = "asm(\"%laneid\" : )"; char c = '"'; int asm_count = printf("%laneid" , 1);)-";
  EXPECT_EQ(with_literal_percents(kText), kText);
  EXPECT_EQ(with_literal_percents(R"(int f() asm("%name"); asm("%pm0" : "=%laneid"(x));)"),
            R"(int f() asm("%name"); asm("%%pm0" : "=%laneid"(x));)");
}

TEST(LiteralPercents, broken_source_stays_as_it_is) {
  for (const char* text : {"asm(", "asm", "asm(\"%laneid", "asm(R\"(%laneid", "x = '", "asm(\"%", "asm volatile"})
    EXPECT_EQ(with_literal_percents(text), text);
}

TEST(LiteralPercents, clangs_error_tells) {
  EXPECT_TRUE(has_refused_percents("a.cu:3:1: error: invalid % escape in inline assembly string\n"));
  EXPECT_FALSE(has_refused_percents("a.cu:3:1: error: expected ';'\n"));
}

}  // namespace literal_percents_test
}  // namespace warpfork::compiler
