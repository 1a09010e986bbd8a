// The reference's instructions on matrices; expected values by hand from the fragments of the PTX ISA.
#include <gtest/gtest.h>

#include <bit>

#include "base/error.h"
#include "reference_harness/harness.h"

namespace warpfork::reference {
namespace matrix_test {

/// %r0 of each lane after the body; lane 4·g + t has g in %r1 and t in %r2.
std::vector<std::uint32_t> r0_of_lanes(std::string_view body, unsigned count = 32) {
  std::vector<ThreadRegisters> threads(count);
  for (unsigned lane = 0; lane < count; ++lane) threads[lane].r = {0, lane / 4, lane % 4};
  std::vector<std::uint32_t> values;
  for (const ThreadRegisters& thread : run_reference(body, threads).threads) values.push_back(thread.r[0]);
  return values;
}

// A[m][k] is m in rows 0 to 7, B[k][n] is n; the sum over 32 k is 32 · m · n.
TEST(ReferenceMatrix, lanes_have_rows_of_a_columns_of_b_and_pairs_of_the_sum) {
  const auto values = r0_of_lanes(
      "mul.lo.u32 %r3, %r1, 0x01010101;\n"
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {_, %r0, _, _}, {%r3, 0, %r3, 0}, {%r3, %r3}, {0, 1, 0, 0};");
  EXPECT_EQ(values[4 * 3 + 2], 32u * 3 * 5 + 1);
  EXPECT_EQ(values[4 * 7 + 3], 32u * 7 * 7 + 1);
}

// Of B only k 8 and 9 are not 0, in the second register of lanes with t = 0: A's third and fourth registers.
TEST(ReferenceMatrix, registers_of_halves_go_on_with_rows_and_then_with_k) {
  const auto values = r0_of_lanes(
      "setp.eq.u32 %p0, %r2, 0;\nselp.b32 %r3, 0x40003c00, 0, %p0;\n"  // 1 and 2
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {_, _, %r0, _}, {0, 0, 0, 0x44003c00}, {0, %r3}, "
      "{0f00000000, 0f00000000, 0f3f000000, 0f00000000};");
  EXPECT_EQ(std::bit_cast<float>(values[9]), 1 * 1 + 2 * 4 + 0.5F);
}

TEST(ReferenceMatrix, wmma_reads_multiplies_and_writes_whole_matrices) {
  const auto values = r0_of_lanes(R"(
    .reg .b32 %a, %x<4>; .reg .f32 %f<8>;
    mad.lo.u32 %a, %thread, 16, %scratch;
    mov.u32 %x0, 0x3f803f80;
    st.shared.v4.b32 [%a], {%x0, %x0, %x0, %x0};
    wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%x0, %x1, %x2, %x3}, [%scratch];
    wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7},
      {%x0, %x1, %x2, %x3}, {%x0, %x1, %x2, %x3}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};
    wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%scratch], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16;
    ld.shared.u32 %r0, [%a+496];)");
  for (const std::uint32_t value : values) EXPECT_EQ(std::bit_cast<float>(value), 16.0F);
}

TEST(ReferenceMatrix, rows_come_from_the_addresses_of_eight_lanes_each) {
  const auto values = r0_of_lanes(
      "{ .reg .b32 %a, %x; mad.lo.u32 %a, %thread, 16, %scratch; mad.lo.u32 %x, %r1, 8, %r2; "
      "st.shared.u16 [%a+2], %x; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {_, %r0}, [%a]; }");
  EXPECT_EQ(values[4 * 3], (8u * 2 + 3) << 16);  // row 3 of the second matrix is lane 11's: g 2 and t 3
  EXPECT_EQ(values[4 * 3 + 1], 0u);
}

TEST(ReferenceMatrix, a_transposed_one_has_its_columns_as_rows) {
  const auto values =
      r0_of_lanes("{ .reg .b32 %x; mad.lo.u32 %x, %r1, 16, %r2; movmatrix.sync.aligned.m8n8.trans.b16 %r0, %x; }");
  EXPECT_EQ(values[4 * 2 + 3], (16u * 6 + 1) | (16u * 7 + 1) << 16);  // row 2, columns 6 and 7
  EXPECT_EQ(values[4 * 3 + 3], 0u);                                   // the upper halves
}

TEST(ReferenceMatrix, needs_all_threads_of_the_warp) {
  EXPECT_THROW(r0_of_lanes("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;", 31), Error);
}

}  // namespace matrix_test
}  // namespace warpfork::reference
