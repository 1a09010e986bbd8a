#include "simt/deferred_accesses.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "one_warp.h"
#include "simt/address_map.h"

namespace warpfork::simt {
namespace deferred_accesses_test {

/// A warp whose lanes reach words of device memory side by side: lane i word i, by the address in %d1. The words hold
/// 1000, 1001, …
class DeferredAccessesTest : public ::testing::Test {
 protected:
  /// Executes the instruction, in this cycle, with these values in %r1.
  void execute(OneWarp& warp, Cycle now, std::uint32_t r1) {
    address_ = warp.memory().allocate(256, "words");
    for (std::uint32_t i = 0; i < 64; ++i) set_word(warp, i, 1000 + i);
    Lanes32 low;
    for (std::uint32_t lane = 0; lane < 32; ++lane) low[lane] = static_cast<std::uint32_t>(address_) + 4 * lane;
    warp.set("%r8", low);
    warp.set("%r9", static_cast<std::uint32_t>(address_ >> 32));
    warp.set("%r1", r1);
    const Program& program = warp.program();
    program.code[0].handler(program.code[0], warp.warp(), RowLanes::first(32));  // the address
    accesses_.defer();
    warp.warp().pc = 1;
    warp.warp().clock = now;
    accesses_.execute(program.code[1], warp.warp(), RowLanes::first(32));
  }
  std::uint32_t word(OneWarp& warp, unsigned number) const {
    std::uint32_t value;
    std::memcpy(&value, warp.memory().find(address_ + 4 * number, 4), 4);
    return value;
  }
  void set_word(OneWarp& warp, unsigned number, std::uint32_t value) const {
    std::memcpy(warp.memory().find(address_ + 4 * number, 4), &value, 4);
  }

  const std::string pointer_ = "mov.b64 %d1, {%r8, %r9};\n";
  std::uint64_t address_ = 0;
  ChangedMemory changed_;
  DeferredAccesses accesses_{changed_};
};

TEST_F(DeferredAccessesTest, a_store_writes_what_its_registers_held_when_it_was_executed) {
  OneWarp warp(pointer_ + "st.global.u32 [%d1], %r1;");
  execute(warp, 7, 5);
  warp.set("%r1", 6);
  warp.set64("%d1", 0);
  accesses_.perform(6);
  EXPECT_EQ(word(warp, 3), 1003u);
  accesses_.perform(7);
  EXPECT_EQ(word(warp, 3), 5u);
  EXPECT_EQ(warp.lane("%r1"), 6u);
  EXPECT_EQ(warp.lane64("%d1"), 0u);
}

TEST_F(DeferredAccessesTest, what_the_timing_model_sees_of_a_store_is_there_at_once) {
  OneWarp warp(pointer_ + "st.global.u32 [%d1], %r1;");
  execute(warp, 0, 5);
  EXPECT_EQ(warp.warp().access.space, MemorySpace::Global);
  EXPECT_EQ(warp.warp().access.address[31], address_ + 124);
  EXPECT_EQ(warp.warp().access.lanes, ActiveMask::first(32));
  EXPECT_TRUE(warp.warp().access.is_write);
}

TEST_F(DeferredAccessesTest, a_load_is_made_again_if_what_it_has_read_was_changed_before_its_turn) {
  OneWarp warp(pointer_ + "ld.global.u32 %r2, [%d1];");
  execute(warp, 7, 0);
  EXPECT_EQ(warp.lane("%r2", 3), 1003u);
  set_word(warp, 3, 8);
  changed_.add(address_ + 12);
  warp.set64("%d1", 0);
  accesses_.perform(7);
  EXPECT_EQ(warp.lane("%r2", 3), 8u);
  EXPECT_EQ(warp.lane("%r2", 4), 1004u);
  EXPECT_EQ(warp.lane64("%d1"), 0u);
}

TEST_F(DeferredAccessesTest, a_load_is_not_made_again_if_other_memory_was_changed) {
  OneWarp warp(pointer_ + "ld.global.u32 %r2, [%d1];");
  execute(warp, 7, 0);
  changed_.add(address_ + 128);
  set_word(warp, 3, 8);  // which nobody has told of
  accesses_.perform(7);
  EXPECT_EQ(warp.lane("%r2", 3), 1003u);
}

TEST_F(DeferredAccessesTest, a_load_may_write_the_register_of_its_address) {
  OneWarp warp(pointer_ + "ld.global.u32 %d1, [%d1];");
  execute(warp, 0, 0);
  set_word(warp, 3, 8);
  changed_.add_everything();
  accesses_.perform(0);
  EXPECT_EQ(warp.lane64("%d1", 3), 8u);
}

TEST_F(DeferredAccessesTest, an_atomic_gives_the_old_value_in_its_turn) {
  OneWarp warp(pointer_ + "atom.global.add.u32 %r1, [%d1], %r1;");
  execute(warp, 7, 5);
  EXPECT_TRUE(warp.warp().access.is_atomic);
  set_word(warp, 3, 20);
  accesses_.perform(7);
  EXPECT_EQ(word(warp, 3), 25u);
  EXPECT_EQ(warp.lane("%r1", 3), 20u);
  EXPECT_TRUE(changed_.may_contain(address_));
}

TEST_F(DeferredAccessesTest, a_store_out_of_bounds_fails_in_its_turn) {
  OneWarp warp(pointer_ + "st.global.u32 [%d1 + 200], %r1;");
  execute(warp, 7, 5);
  EXPECT_NO_THROW(accesses_.perform(6));
  EXPECT_THROW(accesses_.perform(7), Error);
}

TEST_F(DeferredAccessesTest, results_that_may_soon_be_read_are_known_by_their_cycle) {
  OneWarp slow(pointer_ + "ld.global.u32 %r2, [%d1];"), quick(pointer_ + "ld.global.nc.u32 %r2, [%d1];");
  execute(slow, 7, 0);
  EXPECT_EQ(accesses_.quick_load(), kNever);
  execute(quick, 7, 0);
  EXPECT_EQ(accesses_.quick_load(), 7u);
}

TEST_F(DeferredAccessesTest, without_deferring_an_access_takes_effect_at_once_and_counts_as_a_change) {
  OneWarp warp(pointer_ + "st.global.u32 [%d1], %r1;");
  execute(warp, 0, 5);
  accesses_.stop();
  accesses_.execute(warp.program().code[1], warp.warp(), RowLanes::first(2));
  EXPECT_EQ(word(warp, 1), 5u);
  EXPECT_EQ(word(warp, 2), 1002u);
  EXPECT_TRUE(changed_.may_contain(0));
}

}  // namespace deferred_accesses_test
}  // namespace warpfork::simt
