// Which 64-bit registers become 32 bits wide, what computes them then, and which stay.
#include "lower/narrowing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/allocated.h"

namespace warpfork::lower {
namespace narrowing_test {

using testing::Contains;
using testing::ElementsAre;

ptx::Function narrowed(const std::string& body) {
  ptx::Function function = lowered(body);
  narrow_registers(function);
  return function;
}

unsigned bits(const ptx::Function& function, const std::string& name) {
  return ptx::bits_of(function.registers[register_named(function, name)].type);
}

const std::string kShared = ".shared .b32 table[64];\n";

// Shared memory's addresses are of 32 bits (PTX ISA, "Addresses as Operands": either width is allowed).
TEST(Narrowing, computes_addresses_of_shared_memory_in_32_bits) {
  const ptx::Function kernel = narrowed(kShared +
                                        "mov.u64 %rd1, table;\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                        "ld.shared.u32 %r2, [%rd3+-4];\nret;");
  EXPECT_THAT(lines(kernel), ElementsAre("mov.u32 %rd1, table;", "mul.lo.s32 %rd2, %r1, 4;",
                                         "add.s32 %rd3, %rd1, %rd2;", "ld.shared.u32 %r2, [%rd3+-4];", "ret;"));
  for (const char* name : {"%rd1", "%rd2", "%rd3"}) EXPECT_EQ(bits(kernel, name), 32u) << name;
}

TEST(Narrowing, leaves_addresses_of_other_memory) {
  const std::string body = "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd2, 64;\nld.global.u32 %r2, [%rd3];\nret;";
  EXPECT_EQ(lines(narrowed(body)), lowered_lines(body));
}

TEST(Narrowing, leaves_all_that_goes_into_one_wide_value) {
  const std::string body = kShared +
                           "mul.wide.s32 %rd2, %r1, 4;\nmov.u64 %rd1, table;\nadd.s64 %rd3, %rd1, %rd2;\n"
                           "st.shared.u32 [%rd3], %r1;\nst.global.u32 [%rd2], %r1;\nret;";
  EXPECT_EQ(lines(narrowed(body)), lowered_lines(body));
}

TEST(Narrowing, takes_conversions_from_and_to_32_bits_for_moves) {
  const ptx::Function kernel = narrowed(
      "cvt.s64.s32 %rd1, %r1;\nshl.b64 %rd2, %rd1, 2;\ncvt.u32.u64 %r2, %rd2;\ncvt.u16.u64 %h1, %rd2;\n"
      "st.shared.u32 [64], %rd2;\nst.global.u32 [64], %r2;\nret;");
  EXPECT_THAT(lines(kernel),
              ElementsAre("mov.b32 %rd1, %r1;", "shl.b32 %rd2, %rd1, 2;", "mov.b32 %r2, %rd2;",
                          "cvt.u16.u32 %h1, %rd2;", "st.shared.u32 [64], %rd2;", "st.global.u32 [64], %r2;", "ret;"));
}

// 2^32 + 3 and 3 have the same low half.
TEST(Narrowing, cuts_literals) {
  const ptx::Function kernel =
      narrowed("cvt.u64.u32 %rd1, %r1;\nadd.s64 %rd2, %rd1, 4294967299;\nst.shared.u32 [%rd2], %r1;\nret;");
  EXPECT_THAT(lines(kernel), Contains("add.s32 %rd2, %rd1, 3;"));
}

TEST(Narrowing, leaves_what_needs_the_high_half) {
  for (const std::string use :
       {"shr.u64 %rd2, %rd1, 3;\nst.shared.u32 [%rd2], %r1;",
        "setp.eq.s64 %p1, %rd1, 0;\n@%p1 bra L;\nL:", "st.shared.u64 [64], %rd1;", "st.shared.u64 [%rd1], %rd1;",
        "cvt.rn.f32.u64 %f1, %rd1;", "mul.hi.u64 %rd2, %rd1, %rd1;", "mov.b64 {%r2, %r3}, %rd1;",
        "cvt.sat.u32.u64 %r2, %rd1;", "atom.shared.add.u64 %rd2, [64], %rd1;", "cvta.shared.u64 %rd2, %rd1;"}) {
    const std::string body = "cvt.u64.u32 %rd1, %r1;\n" + use + "\nret;";
    EXPECT_EQ(lines(narrowed(body)), lowered_lines(body)) << use;
  }
}

TEST(Narrowing, leaves_what_was_wide_before) {
  for (const std::string made :
       {"ld.global.u64 %rd1, [64];", "mov.u64 %rd1, %clock64;", "mul.wide.u32 %rd2, %r1, 4;\nshr.u64 %rd1, %rd2, 1;",
        "cvta.to.shared.u64 %rd1, %rd2;", ".reg .f64 %fd1;\nmov.b64 %rd1, %fd1;"}) {
    const std::string body = made + "\nst.shared.u32 [%rd1], %r1;\nret;";
    EXPECT_EQ(lines(narrowed(body)), lowered_lines(body)) << made;
  }
}

TEST(Narrowing, takes_words_from_memory_into_narrow_registers) {
  const ptx::Function kernel =
      narrowed("ld.global.s32 %rd1, [64];\nshl.b64 %rd2, %rd1, 2;\nst.shared.u32 [%rd2], %r1;\nret;");
  EXPECT_EQ(bits(kernel, "%rd1"), 32u);
  EXPECT_THAT(lines(kernel), Contains("ld.global.s32 %rd1, [64];"));
}

// The decoder wants one width for all; what one of them is read for decides.
TEST(Narrowing, keeps_registers_of_a_vector_in_one_width) {
  const std::string load = "ld.global.v2.u32 {%rd1, %rd2}, [64];\nst.shared.u32 [%rd1], %r1;\n";
  for (const char* const both : {"", "st.global.u64 [64], %rd2;\n"}) {
    const ptx::Function kernel = narrowed(load + both + "ret;");
    EXPECT_EQ(bits(kernel, "%rd1"), bits(kernel, "%rd2"));
    EXPECT_EQ(bits(kernel, "%rd1"), *both == '\0' ? 32u : 64u);
  }
}

}  // namespace narrowing_test
}  // namespace warpfork::lower
