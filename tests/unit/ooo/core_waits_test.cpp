// What a µop of the out-of-order core waits for, and for how long.
#include <gtest/gtest.h>

#include "unit/ooo/core_setup.h"
#include "unit/ooo/issue_times.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace core_waits_test {

/// Thread 1 divides twelve times, which takes 312 cycles, and stores; thread 0 loads, which takes 245, and stores; both
/// load what they stored, at kLoad.
constexpr std::uint64_t kSlowStore = 0x1034, kIf = 0x103c, kFastStore = 0x1058, kLoad = 0x105c;
SpmdProgram stores_on_two_paths() {
  SpmdProgram program;
  program.branch({}).target = kIf;
  while (program.here() < kSlowStore) program.add({divide(0)});
  program.store(0, 3);
  program.jump(x86::BranchKind::Jump).target = kLoad;
  program.load(1, 3);
  while (program.here() < kFastStore) program.add({x86::Uop{}});
  program.store(1, 3);
  program.load(2, 3);
  program.alu(0, 2);
  program.end();
  return program;
}

/// The branch, then all from one instruction up to another, then what both do.
std::vector<std::uint64_t> way(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> pcs{0x1000};
  for (std::uint64_t pc = from; pc <= to; pc += 4) pcs.push_back(pc);
  pcs.insert(pcs.end(), {kLoad, kLoad + 4, kLoad + 8});
  return pcs;
}

/// Warps of two, one instruction a cycle fetched and decoded in one more: thread 1 has come to the load before thread 0
/// has. Of so many warps the paths hardly ever take turns.
MachineSpec warps_of_two() {
  MachineSpec machine;
  machine.warps = 16;
  machine.threads = 2;
  machine.pipeline.fetch_width = machine.pipeline.front_end_depth = 1;
  return machine;
}

Times times_of(const MachineSpec& machine, const SpmdProgram& program) {
  std::vector<std::vector<SpmdProgram::Step>> threads(machine.warps * machine.threads);
  threads[0] = program.follow(way(kIf, kFastStore));
  threads[1] = program.follow(way(0x1004, kSlowStore + 4));
  Times times;
  const CoreCounts counts = run_listened("simt-x", machine, std::move(threads), {&times});
  EXPECT_EQ(counts.front.convergences, 1u);
  return times;
}

// The slow store is the older one: thread 1's path is fetched to its end as soon as there are two.
TEST(OutOfOrderCore, lets_a_load_wait_for_the_stores_of_all_its_lanes) {
  const Times times = times_of(warps_of_two(), stores_on_two_paths());
  EXPECT_LT(times.at(kFastStore).done, times.at(kSlowStore).issued);
  EXPECT_GE(times.at(kLoad).issued, times.at(kSlowStore).done);
}

TEST(OutOfOrderCore, merges_and_meets_in_as_many_cycles_as_the_machine_says) {
  const SpmdProgram program = stores_on_two_paths();
  for (const unsigned cycles : {1u, 7u}) {
    MachineSpec machine = warps_of_two();
    machine.latency.merge = cycles;
    const Times times = times_of(machine, program);
    EXPECT_EQ(times.merge().done - times.merge().issued, cycles);  // of r0, which thread 1 alone wrote
    EXPECT_EQ(times.meeting().done - times.meeting().issued, cycles);
    EXPECT_GE(times.at(kLoad + 4).issued, times.merge().done);
  }
}

// Two divisions want the only unit; the fence, which wants none, is the oldest when both have committed.
TEST(OutOfOrderCore, tells_what_a_uop_waited_for_last) {
  SpmdProgram program;
  program.add({divide(0)});
  program.add({divide(1)});
  x86::Uop fence;
  fence.kind = x86::UopKind::Serialize;
  program.add({fence});
  program.end();
  Times times;
  run_listened("simt-x", one_thread(), {program.follow({0x1000, 0x1004, 0x1008, 0x100c})}, {&times});
  EXPECT_EQ(times.at(0x1000).waited, WaitCause::Nothing);
  EXPECT_EQ(times.at(0x1004).waited, WaitCause::Unit);
  EXPECT_EQ(times.at(0x1004).issued, times.at(0x1000).done);
  EXPECT_EQ(times.at(0x1008).waited, WaitCause::Turn);
  EXPECT_GE(times.at(0x1008).issued, times.at(0x1004).done);
}

/// One thread divides, which takes 26 cycles, stores, and loads another word.
class LoadsBehindStores : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kDivision = 0x1000, kStore = 0x1004, kOther = 0x1008;

  static Times times(const std::string& disambiguation, x86::RegisterId data, x86::RegisterId address) {
    SpmdProgram program;
    program.add({divide(0)});
    program.store(data, address);
    program.load(1, 2);
    program.end();
    std::vector<SpmdProgram::Step> steps = program.follow({kDivision, kStore, kOther, kOther + 4});
    steps[1].addresses = {0x8000};
    steps[2].addresses = {0x9000};
    MachineSpec one = one_thread();
    one.disambiguation = disambiguation;
    Times times;
    run_listened("simt-x", one, {steps}, {&times});
    return times;
  }
};

TEST_F(LoadsBehindStores, go_before_a_store_whose_data_is_late) {
  for (const char* const early : {"perfect", "addresses"}) {
    const Times told = times(early, 0, 3);
    EXPECT_LT(told.at(kOther).issued, told.at(kDivision).done) << early;
  }
  const Times told = times("stores", 0, 3);
  EXPECT_EQ(told.at(kStore).issued, told.at(kDivision).done);
  EXPECT_EQ(told.at(kOther).issued, told.at(kStore).done);
  EXPECT_EQ(told.at(kDivision).waited, WaitCause::Nothing);
  EXPECT_EQ(told.at(kStore).waited, WaitCause::Operand);
  EXPECT_EQ(told.at(kOther).waited, WaitCause::Store);
}

TEST_F(LoadsBehindStores, go_before_a_store_whose_address_is_late_only_if_it_is_known_beforehand) {
  const Times perfect = times("perfect", 3, 0), addresses = times("addresses", 3, 0), stores = times("stores", 3, 0);
  EXPECT_LT(perfect.at(kOther).issued, perfect.at(kDivision).done);
  EXPECT_GE(addresses.at(kOther).issued, addresses.at(kDivision).done);
  EXPECT_LT(addresses.at(kOther).issued, addresses.at(kStore).done + 1);
  EXPECT_EQ(stores.at(kOther).issued, stores.at(kStore).done);
}

}  // namespace core_waits_test
}  // namespace warpfork::ooo
