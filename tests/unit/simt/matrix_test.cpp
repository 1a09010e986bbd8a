// Instructions on matrices that a warp holds together (PTX ISA, "mma", "ldmatrix", "stmatrix", "movmatrix"): fragments
// and values by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "base/error.h"
#include "one_warp.h"

namespace warpfork::simt {
namespace matrix_test {

using testing::AllOf;
using testing::HasSubstr;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// compute(g, t) for lane 4·g + t.
template <typename Compute>
Lanes32 lanes_of(Compute compute) {
  Lanes32 values;
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = compute(lane / 4, lane % 4);
  return values;
}

// Halves: 1.0 is 0x3c00, 2.0 is 0x4000, and whole numbers up to 2048 by their exponents.
std::uint32_t half(unsigned number) {
  if (number == 0) return 0;
  const unsigned exponent = std::bit_width(number) - 1;
  return (exponent + 15) << 10 | ((number << (10 - exponent)) & 0x3ff);
}
std::uint32_t halves(unsigned low, unsigned high) { return half(low) | half(high) << 16; }

// A has the identity above and twice the identity below it; B[k][n] is 8·k + n.
TEST(Matrix, product_of_halves_has_the_fragments_of_m16n8k8) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6}, "
      "{%r7, %r8, %r7, %r8};");
  warp.set("%r4", lanes_of([](unsigned g, unsigned t) { return halves(g == 2 * t, g == 2 * t + 1); }));
  warp.set("%r5", lanes_of([](unsigned g, unsigned t) { return halves(2 * (g == 2 * t), 2 * (g == 2 * t + 1)); }));
  warp.set("%r6", lanes_of([](unsigned g, unsigned t) { return halves(16 * t + g, 16 * t + 8 + g); }));
  warp.set("%r7", bits(0.5F));
  warp.set("%r8", bits(100));
  warp.run();
  EXPECT_EQ(warp.lanes("%r0"), lanes_of([](unsigned g, unsigned t) { return bits(8.0F * g + 2 * t + 0.5F); }));
  EXPECT_EQ(warp.lanes("%r1"), lanes_of([](unsigned g, unsigned t) { return bits(8.0F * g + 2 * t + 1 + 100); }));
  EXPECT_EQ(warp.lanes("%r2"), lanes_of([](unsigned g, unsigned t) { return bits(16.0F * g + 4 * t + 0.5F); }));
  EXPECT_EQ(warp.lanes("%r3"), lanes_of([](unsigned g, unsigned t) { return bits(16.0F * g + 4 * t + 2 + 100); }));
}

// A[m][k] is 1 where k is m, so that D is B; C is 0. Registers 2 and 3 of A and 1 of B have k from 8 on.
TEST(Matrix, further_registers_are_of_further_rows_and_then_of_further_k) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3, %r4, %r5}, {%r6, %r7}, {0, 0};");
  const Lanes32 identity = lanes_of([](unsigned g, unsigned t) { return halves(g == 2 * t, g == 2 * t + 1); });
  warp.set("%r2", identity);
  warp.set("%r5", identity);
  warp.set("%r6", lanes_of([](unsigned g, unsigned t) { return halves(16 * t + g, 16 * t + 8 + g); }));
  warp.set("%r7", lanes_of([](unsigned g, unsigned t) { return halves(1000 + 16 * t + g, 1000 + 16 * t + 8 + g); }));
  warp.run();
  EXPECT_EQ(warp.lanes("%r0"),
            lanes_of([](unsigned g, unsigned t) { return halves(8 * g + 2 * t, 8 * g + 2 * t + 1); }));
  EXPECT_EQ(warp.lanes("%r1"),
            lanes_of([](unsigned g, unsigned t) { return halves(1000 + 8 * g + 2 * t, 1001 + 8 * g + 2 * t); }));
}

// 2^24 + 1 is halfway between two floats and rounds to the even one, 2^24: eight times in the order of k.
TEST(Matrix, sums_of_floats_are_rounded_one_after_the_other) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r4}, %r5, "
      "{%r6, %r6, %r6, %r6};");
  warp.set("%r4", 0x3f803f80);
  warp.set("%r5", 0x3f803f80);
  warp.set("%r6", bits(0x1p24F));
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), bits(0x1p24F));
  warp.set("%r6", bits(3));
  warp.run();
  EXPECT_EQ(warp.lane("%r3", 31), bits(11));
}

/// Halves from 2^-5 to 2^5 of either sign.
Lanes32 random_halves(std::mt19937& random) {
  return lanes_of([&](unsigned, unsigned) { return 0x28002800 + (random() & 0x97ff97ff); });
}
double value_of(std::uint32_t pair, unsigned index) {
  const unsigned half = pair >> 16 * index & 0xffff;
  const double magnitude = std::ldexp(1024 + (half & 0x3ff), static_cast<int>(half >> 10 & 31) - 25);
  return half >> 15 != 0 ? -magnitude : magnitude;
}

/// What lane 4·g + t has of row g and column 2·t of A · B, in doubles, and the sum of all magnitudes.
std::pair<double, double> exact_sum(const Lanes32 (&a)[2], const Lanes32 (&b)[2], unsigned lane) {
  double sum = 0, magnitudes = 0;
  for (unsigned k = 0; k < 16; ++k) {
    const unsigned pair = k % 8 / 2;
    const double product =
        value_of(a[k / 8][lane / 4 * 4 + pair], k % 2) * value_of(b[k / 8][lane % 4 * 8 + pair], k % 2);
    sum += product;
    magnitudes += std::fabs(product);
  }
  return {sum, magnitudes};
}

// Each of 16 sums is off by half a unit in the last place of what is at most the sum of all magnitudes.
TEST(Matrix, sums_of_floats_are_as_near_to_the_exact_sum_as_their_roundings_let_them) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, "
      "{%r8, %r9}, {0f00000000, 0f00000000, 0f00000000, 0f00000000};");
  std::mt19937 random(5);
  const Lanes32 a[] = {random_halves(random), random_halves(random)};
  const Lanes32 b[] = {random_halves(random), random_halves(random)};
  warp.set("%r4", a[0]);
  warp.set("%r6", a[1]);
  warp.set("%r8", b[0]);
  warp.set("%r9", b[1]);
  warp.run();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto [sum, magnitudes] = exact_sum(a, b, lane);
    EXPECT_NEAR(std::bit_cast<float>(warp.lane("%r0", lane)), sum, 16 * 0x1p-24 * magnitudes);
  }
}

// Lane 0 has the first four elements of row 0 of A, 1, 0, 0 and 448 in e4m3, and of column 0 of B, 2, 0, 0 and -0.5 in
// e5m2.
TEST(Matrix, numbers_of_eight_bits_may_be_of_two_formats) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6}, "
      "{0f3f000000, 0f3f000000, 0f3f000000, 0f3f000000};");
  Lanes32 a{}, b{};
  a[0] = 0x7e000038;
  b[0] = 0xb8000040;
  warp.set("%r4", a);
  warp.set("%r5", Lanes32{});
  warp.set("%r6", b);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), bits(2 - 224 + 0.5F));
  EXPECT_EQ(warp.lane("%r1"), bits(0.5));
  EXPECT_EQ(warp.lane("%r2"), bits(0.5));
}

// 1 + 2^-10 is the last that tf32 has; the bits below are none of its own.
TEST(Matrix, numbers_of_tf32_have_19_bits) {
  OneWarp warp(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6}, "
      "{0f00000000, 0f00000000, 0f00000000, 0f00000000};");
  warp.set("%r4", bits(1 + 0x1p-10F + 0x1p-11F));
  warp.set("%r5", bits(-1));
  warp.set("%r6", bits(1));
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), bits(4 + 4 * 0x1p-10F));
  EXPECT_EQ(warp.lane("%r2", 5), bits(-4));
}

// Rows of A are 16 times 127 or 255, columns of B 16 times -128: 16 · 127 · -128 and 16 · 255 · -128.
TEST(Matrix, sums_of_integers_are_exact_and_saturate_if_asked) {
  const std::string operands = " {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};\n";
  OneWarp warp("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32" + operands);
  OneWarp wrapping("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32" + operands);
  for (OneWarp* each : {&warp, &wrapping}) {
    each->set("%r2", lanes_of([](unsigned g, unsigned) { return g == 0 ? 0xffffffffu : 0x7f7f7f7fu; }));
    each->set("%r3", 0x80808080);
    each->set("%r4", 5);
    each->set("%r5", 0x80000000);
    each->run();
  }
  EXPECT_EQ(warp.lane("%r0", 0), 5u - 16 * 255 * 128);
  EXPECT_EQ(warp.lane("%r1", 4), 0x80000000u);
  EXPECT_EQ(wrapping.lane("%r0", 0), 5u + 16 * 128);  // 255 is -1
  EXPECT_EQ(wrapping.lane("%r1", 4), 0x80000000u - 16 * 127 * 128);
}

// Eight numbers of four bits, 1 to 7 and -8, times 1.
TEST(Matrix, integers_may_have_four_bits) {
  OneWarp warp("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%r0, %r1}, {%r2}, {%r3}, {0, 1};");
  warp.set("%r2", 0x87654321);
  warp.set("%r3", 0x11111111);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 4u * (28 - 8));
  EXPECT_EQ(warp.lane("%r1", 31), 4u * (28 - 8) + 1);
}

// A[m][k] is m + 1, B[k][n] is k · 2^n.
TEST(Matrix, products_of_doubles_have_a_register_of_each_element) {
  OneWarp warp(
      "cvt.rn.f64.u32 %d1, %r0;\ncvt.rn.f64.u32 %d2, %r1;\n"
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d3, %d4}, {%d1}, {%d2}, {%d0, %d1};");
  warp.set("%r0", lanes_of([](unsigned g, unsigned) { return g + 1; }));
  warp.set("%r1", lanes_of([](unsigned g, unsigned t) { return t << g; }));
  warp.run();
  EXPECT_EQ(warp.lane64("%d3", 4 * 2 + 1), std::bit_cast<std::uint64_t>(3.0 * 6 * 4));        // row 2, column 2
  EXPECT_EQ(warp.lane64("%d4", 4 * 7 + 3), std::bit_cast<std::uint64_t>(8.0 * 6 * 128 + 8));  // row 7, column 7
}

/// In shared memory row `lane` of 8 halves: 256 · lane + column.
const std::string kRows =
    "mov.u32 %r0, %laneid;\nmad.lo.u32 %r1, %r0, 0x01000100, 0x00010000;\nadd.u32 %r2, %r1, 0x00020002;\n"
    "add.u32 %r3, %r1, 0x00040004;\nadd.u32 %r4, %r1, 0x00060006;\nshl.b32 %r5, %r0, 4;\n"
    "mov.u32 %r6, rows;\nadd.u32 %r5, %r5, %r6;\nst.shared.v4.u32 [%r5], {%r1, %r2, %r3, %r4};\n";
const std::string kShared = ".shared .align 16 .b8 rows[512];";

TEST(Matrix, lanes_load_pairs_of_the_rows_whose_addresses_others_give) {
  OneWarp warp(kRows + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [%r5];", host_instruction_set(),
               kShared);
  warp.run();
  const auto pair_of = [](unsigned matrix) {
    return lanes_of([=](unsigned g, unsigned t) {
      const unsigned first = 256 * (8 * matrix + g) + 2 * t;
      return first | (first + 1) << 16;
    });
  };
  EXPECT_EQ(warp.lanes("%r6"), pair_of(0));
  EXPECT_EQ(warp.lanes("%r9"), pair_of(3));
}

TEST(Matrix, transposed_lanes_load_pairs_of_columns) {
  OneWarp warp(kRows +
                   "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r6, %r7}, [%r5];\n"
                   "cvt.u64.u32 %d0, %r5;\ncvta.shared.u64 %d0, %d0;\n"
                   "ldmatrix.sync.aligned.m8n8.x1.trans.b16 %r8, [%d0];",
               host_instruction_set(), kShared);
  warp.run();
  const Lanes32 first = lanes_of([](unsigned g, unsigned t) { return (512 * t + g) | (512 * t + 256 + g) << 16; });
  const Lanes32 second =
      lanes_of([](unsigned g, unsigned t) { return (2048 + 512 * t + g) | (2048 + 512 * t + 256 + g) << 16; });
  EXPECT_EQ(warp.lanes("%r6"), first);
  EXPECT_EQ(warp.lanes("%r7"), second);
  EXPECT_EQ(warp.lanes("%r8"), first);
  EXPECT_EQ(warp.warp().access.lanes.count(), 8u);  // x1 looks at as many addresses
}

TEST(Matrix, a_stored_one_lies_by_row_and_a_moved_one_is_transposed) {
  OneWarp warp(kRows +
                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r5];\n"
                   "movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r7;\n"
                   "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r5], {%r7};\nld.shared.u32 %r9, [%r5+4];",
               host_instruction_set(), kShared);
  warp.run();
  const auto transposed = [](unsigned g, unsigned t) { return (512 * t + g) | (512 * t + 256 + g) << 16; };
  EXPECT_EQ(warp.lanes("%r8"), lanes_of(transposed));
  EXPECT_EQ(warp.lane("%r9", 3), transposed(3, 1));
  EXPECT_EQ(warp.lane("%r9", 8), 0x08030802u);  // of no matrix: columns 2 and 3 of row 8
}

/// The message of what the body throws for these lanes.
std::string failure(std::string_view body, RowLanes lanes, RowLanes live) {
  OneWarp warp(body, host_instruction_set(), kShared);
  warp.warp().live = live;
  try {
    warp.run(lanes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Matrix, needs_all_lanes_of_the_warp) {
  for (const char* body :
       {"movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r7;", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [rows];",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [rows], {%r7};",
        "mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};"}) {
    EXPECT_THAT(failure(body, RowLanes(0xfffffffb), RowLanes(~0u)),
                AllOf(HasSubstr("test.ptx:11: error: kernel 'kernel', thread (0,0,0)"),
                      HasSubstr("thread (2,0,0) does not execute it as well"), HasSubstr("where they meet again")));
    EXPECT_THAT(failure(body, RowLanes(0xffff), RowLanes(0xffff)),
                AllOf(HasSubstr("of which 16 are there"), HasSubstr("a multiple of 32 threads")));
    EXPECT_EQ(failure(body, RowLanes(), RowLanes(0xff)), "");
  }
}

TEST(Matrix, addresses_of_rows_are_checked) {
  EXPECT_THAT(
      failure("mov.u32 %r0, 8;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r0];", RowLanes(~0u), RowLanes(~0u)),
      HasSubstr("misaligned"));
  EXPECT_THAT(failure("mov.u32 %r0, 4096;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r7};", RowLanes(~0u),
                      RowLanes(~0u)),
              HasSubstr("shared store of 16 bytes at 0x1000 is out of bounds"));
}

TEST(Matrix, generic_addresses_outside_shared_memory_are_told_as_they_are) {
  for (const char* line :
       {"ldmatrix.sync.aligned.m8n8.x1.b16 {%r7}, [%d0];", "stmatrix.sync.aligned.m8n8.x1.b16 [%d0], {%r7};"})
    EXPECT_THAT(failure(std::string("mov.u64 %d0, 4096;\n") + line, RowLanes(~0u), RowLanes(~0u)),
                AllOf(HasSubstr("of 16 bytes at 0x1000 is out of bounds"), HasSubstr("generic "),
                      HasSubstr("it must lie in shared memory, of which the block has")));
}

TEST(Matrix, shapes_and_types_that_do_not_go_together_are_refused) {
  const std::string four = "{%r0, %r1, %r2, %r3}", two = "{%r4, %r5}", one = "{%r6}";
  const auto product = [&](const std::string& words, const std::string& a) {
    return refusal("mma.sync.aligned." + words + " " + four + ", " + a + ", " + one + ", " + four + ";");
  };
  EXPECT_EQ(product("m16n8k8.row.col.f32.f16.f16.f32", two), "no error");
  EXPECT_THAT(product("m16n8k8.row.col.f32.f16.f16.f32", four), HasSubstr("4 registers where it has 2"));
  EXPECT_THAT(product("m16n8k8.row.col.f32.f16.bf16.f32", two), HasSubstr("is not supported"));
  EXPECT_THAT(product("m16n8k8.col.row.f32.f16.f16.f32", two), HasSubstr("is not supported"));
  EXPECT_THAT(product("m16n8k8.row.col.satfinite.f32.f16.f16.f32", two), HasSubstr("it cannot be '.satfinite'"));
  EXPECT_THAT(product("m16n8k16.row.col.s32.s8.s8.f32", two), HasSubstr("is not supported"));
  EXPECT_THAT(product("m16n8k64.row.col.s32.s4.s4.s32", four), HasSubstr("it cannot be '.m16n8k64'"));
}

}  // namespace matrix_test
}  // namespace warpfork::simt
