// What every organisation of temporal lanes must keep, whatever it is given: instructions with random masks, units,
// registers and warps, sent as soon as their lane is free.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/named.h"
#include "gpu/lane_listener.h"
#include "lane_bench.h"

namespace warpfork::gpu {
namespace lane_contract_test {

constexpr unsigned kWarps = 32, kInstructions = 400;

/// What entered which lane when.
struct Entries : LaneListener {
  void entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) override {
    EXPECT_TRUE(at[now].insert(lane).second) << "two groups entered lane " << lane << " in cycle " << now;
    lanes.insert(lane);
    warps_of_lane[lane].insert(record.warp);
    sum += threads.count();
    ++groups;
  }
  std::map<Cycle, std::set<unsigned>> at;
  std::set<unsigned> lanes;
  std::map<unsigned, std::set<unsigned>> warps_of_lane;
  std::uint64_t sum = 0, groups = 0;
};

CoreSpec spec_of(const std::string& organisation) {
  CoreSpec spec;
  spec.execution.sp_units = spec.execution.sfu_units = 1;
  spec.execution.IntAdd = {"sp", 10, 4};
  spec.execution.Special = {"sfu", 22, 16};
  spec.lanes.organisation = organisation;
  return spec;
}

simt::Instruction random_instruction(std::mt19937& random) {
  simt::Instruction made{};
  made.timing = random() % 4 == 0 ? simt::TimingClass::Special : simt::TimingClass::IntAdd;
  made.source_count = static_cast<std::uint8_t>(random() % 4);
  for (unsigned i = 0; i < made.source_count; ++i) made.sources[i] = static_cast<std::uint16_t>(random() % 64);
  made.destination_count = static_cast<std::uint8_t>(random() % 2);
  made.destinations[0] = static_cast<std::uint16_t>(random() % 64);
  return made;
}

/// Groups of so many neighbouring lanes, aligned, with a lane of the mask; one at least.
unsigned groups_of(std::uint32_t mask, unsigned width) {
  unsigned groups = 0;
  for (unsigned lane = 0; lane < 32; lane += width) groups += (mask >> lane & ((1ull << width) - 1)) != 0;
  return std::max(groups, 1u);
}

class TemporalContract : public ::testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  TemporalContract() : bench_(spec_of(organisation())) {
    std::mt19937 random(7);
    bench_.lanes().set_listener(&entries_);
    for (unsigned i = 0; i < kInstructions; ++i) instructions_.push_back(random_instruction(random));
    for (unsigned sent = 0; sent < kInstructions; bench_.step()) {
      const unsigned warp = random() % kWarps;
      if (!bench_.lanes().room().of(Port::Sp).contains(warp)) continue;
      const std::uint32_t mask = random() % 5 == 0 ? ~0u : static_cast<std::uint32_t>(random() & random());
      asked_threads_ += ActiveMask(mask).count();
      asked_groups_ += groups_of(mask, width());
      bench_.issue(instructions_[sent++], warp, ActiveMask(mask));
    }
    bench_.step(500);
  }
  const std::string& organisation() const { return std::get<0>(GetParam()); }
  unsigned width() const { return std::get<1>(GetParam()); }

  LaneBench bench_;
  Entries entries_;
  std::vector<simt::Instruction> instructions_;
  std::uint64_t asked_threads_ = 0, asked_groups_ = 0;
};

TEST_P(TemporalContract, every_thread_of_every_mask_enters_a_lane_once) {
  EXPECT_EQ(entries_.sum, asked_threads_);
  EXPECT_EQ(entries_.groups, asked_groups_);
}

TEST_P(TemporalContract, there_are_as_many_lanes_as_the_units_make_and_no_more_are_busy) {
  EXPECT_EQ(bench_.lanes().lanes(), 8 / width());
  EXPECT_EQ(entries_.lanes.size(), bench_.lanes().lanes());
  for (const auto& [cycle, lanes] : entries_.at) EXPECT_LE(lanes.size(), bench_.lanes().lanes()) << cycle;
}

TEST_P(TemporalContract, lanes_are_held_for_as_many_cycles_as_the_masks_ask_for) {
  Cycle held = 0;
  for (unsigned lane = 0; lane < bench_.lanes().lanes(); ++lane) held += bench_.lanes().held_cycles(lane);
  EXPECT_EQ(held, asked_groups_);
}

TEST_P(TemporalContract, every_instruction_of_a_warp_that_ends_leaves_the_lanes) {
  simt::Instruction exit{};
  exit.kind = simt::InstructionKind::Exit;
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    while (!bench_.lanes().room().of(Port::Sp).contains(warp)) bench_.step();
    bench_.issue(exit, warp, ActiveMask::first(32));
  }
  bench_.step(500);
  EXPECT_EQ(bench_.left, kInstructions + kWarps);
  EXPECT_EQ(bench_.lanes().next_event(bench_.now()), kNever);
}

// Four of 32 warps in each of eight lanes, unless the lanes are not locked.
TEST_P(TemporalContract, a_warp_keeps_to_its_lane) {
  const unsigned lanes = bench_.lanes().lanes();
  for (const auto& [lane, warps] : entries_.warps_of_lane)
    if (organisation() == "unlocked-lanes")
      EXPECT_GT(warps.size(), kWarps / lanes) << lane;
    else
      for (const unsigned warp : warps) EXPECT_EQ(warp % lanes, lane);
}

INSTANTIATE_TEST_SUITE_P(Every, TemporalContract,
                         ::testing::Values(std::tuple("tsimt", 1u), std::tuple("tsimt-plus", 1u),
                                           std::tuple("stsimt2", 2u), std::tuple("stsimt4", 4u),
                                           std::tuple("stsimt", 4u), std::tuple("unlocked-lanes", 1u)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace lane_contract_test
}  // namespace warpfork::gpu
