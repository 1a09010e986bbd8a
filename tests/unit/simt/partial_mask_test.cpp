// An instruction writes the registers of the lanes that execute it, and of no other (PTX ISA, "Predicated Execution"):
// all, a few, a half of the row, or any others.
#include <gtest/gtest.h>

#include <cstdint>

#include "one_warp.h"

namespace warpfork::simt {
namespace partial_mask_test {

class PartialMask : public testing::TestWithParam<std::uint32_t> {
 protected:
  /// Each lane of the mask has `taken` in the register, each other one 7.
  void expect_in_mask(const OneWarp& warp, std::uint64_t taken, bool is_wide) const {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint64_t value = is_wide ? warp.lane64("%d0", lane) : warp.lane("%r0", lane);
      EXPECT_EQ(value, lanes_.contains(lane) ? taken : 7) << "lane " << lane;
    }
  }
  RowLanes lanes_{GetParam()};
};

TEST_P(PartialMask, is_that_of_a_sum_of_32_bits) {
  OneWarp warp("add.u32 %r0, %r1, %r2;");
  warp.set("%r0", 7);
  warp.set("%r1", 30);
  warp.set("%r2", 12);
  warp.run(lanes_);
  expect_in_mask(warp, 42, false);
}

TEST_P(PartialMask, is_that_of_a_sum_of_64_bits) {
  OneWarp warp("add.u64 %d0, %d1, %d2;");
  warp.set64("%d0", 7);
  warp.set64("%d1", 0x2'0000'0000);
  warp.set64("%d2", 0x1'0000'0001);
  warp.run(lanes_);
  expect_in_mask(warp, 0x3'0000'0001, true);
}

TEST_P(PartialMask, is_that_of_a_choice) {
  OneWarp warp("selp.u32 %r0, 5, 6, %p1;");
  warp.set("%r0", 7);
  warp.set_predicate("%p1", RowLanes::first(32));
  warp.run(lanes_);
  expect_in_mask(warp, 5, false);
}

INSTANTIATE_TEST_SUITE_P(Of, PartialMask,
                         testing::Values(0x00000000u, 0x80000000u, 0x80010081u, 0x80010181u, 0x0000ffffu, 0xffff0000u,
                                         0x0001ffffu, 0xfffffffeu, 0xffffffffu));

}  // namespace partial_mask_test
}  // namespace warpfork::simt
