// Entry, pipeline end and result bus: gtx480.md, "Execution units". A result is written back two cycles after its
// latency.
#include "gpu/execution_units.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace execution_units_test {

class ExecutionUnitsTest : public ::testing::Test {
 protected:
  void make(unsigned sp, unsigned sfu, unsigned buses) {
    ExecutionSpec spec;
    spec.sp_units = sp;
    spec.sfu_units = sfu;
    spec.result_buses = buses;
    units_ = std::make_unique<ExecutionUnits>(spec, pool_);
  }
  InFlightId put(unsigned latency, unsigned interval = 1, Port port = Port::Sp) {
    const InFlightId id = pool_.take();
    pool_[id].latency = static_cast<std::uint16_t>(latency);
    pool_[id].interval = static_cast<std::uint16_t>(interval);
    ports_[static_cast<unsigned>(port)].push(id);
    return id;
  }
  /// Whether nothing waits at the port after this cycle.
  bool all_enter(Cycle now, Port port = Port::Sp) {
    units_->cycle(ports_, wheel_, now);
    return ports_[static_cast<unsigned>(port)].empty();
  }

  InFlightPool pool_;
  CompletionWheel wheel_;
  std::unique_ptr<ExecutionUnits> units_;
  std::array<StageRegister, kPorts> ports_{StageRegister(4), StageRegister(4), StageRegister(4)};
};

TEST_F(ExecutionUnitsTest, writeback_is_two_cycles_behind_the_latency) {
  make(1, 0, 1);
  const InFlightId id = put(4);
  EXPECT_TRUE(all_enter(10));
  EXPECT_EQ(wheel_.take(15), kNoInFlight);
  EXPECT_EQ(wheel_.take(16), id);
}

TEST_F(ExecutionUnitsTest, the_entry_stays_taken_for_the_initiation_interval) {
  make(1, 0, 2);
  put(13, 8);
  EXPECT_TRUE(all_enter(10));
  put(13, 8);
  EXPECT_FALSE(all_enter(17));
  EXPECT_TRUE(all_enter(18));
}

TEST_F(ExecutionUnitsTest, two_units_take_two_instructions_in_a_cycle_and_no_third) {
  make(2, 0, 4);
  for (unsigned i = 0; i < 3; ++i) put(4);
  EXPECT_FALSE(all_enter(10));
  EXPECT_TRUE(all_enter(11));
}

TEST_F(ExecutionUnitsTest, the_oldest_waiting_instruction_enters_first) {
  make(1, 0, 1);
  const InFlightId first = put(4), second = put(4);
  all_enter(10);
  all_enter(11);
  EXPECT_EQ(wheel_.take(16), first);
  EXPECT_EQ(wheel_.take(17), second);
}

TEST_F(ExecutionUnitsTest, an_instruction_does_not_overtake_into_the_pipelines_end) {
  make(1, 0, 2);
  put(5);
  EXPECT_TRUE(all_enter(10));  // ends at 15
  put(4);
  EXPECT_FALSE(all_enter(11));  // would end at 15 too
  EXPECT_TRUE(all_enter(12));
}

TEST_F(ExecutionUnitsTest, an_instruction_enters_only_if_a_result_bus_is_free_at_its_arrival) {
  make(2, 1, 2);
  put(4);
  put(4);
  put(4, 1, Port::Sfu);
  EXPECT_TRUE(all_enter(10, Port::Sp));
  EXPECT_FALSE(ports_[1].empty());  // a third result at 14, two buses
  EXPECT_TRUE(all_enter(11, Port::Sfu));
}

TEST_F(ExecutionUnitsTest, instructions_use_units_of_their_own_kind_only) {
  make(2, 0, 2);
  put(8, 8, Port::Sfu);
  EXPECT_FALSE(all_enter(10, Port::Sfu));
}

TEST_F(ExecutionUnitsTest, units_are_free_at_the_start_of_the_next_launch) {
  make(1, 0, 1);
  put(4, 100);
  all_enter(5000);
  units_->end_kernel();
  put(4);
  EXPECT_TRUE(all_enter(1));
}

}  // namespace execution_units_test
}  // namespace warpfork::gpu
