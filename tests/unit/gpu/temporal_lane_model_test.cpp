// A lane against a plain model of its rules (docs/lanes/temporal.md, "From issue to result"), cycle by cycle, on random
// instructions and loads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gpu/temporal_lane.h"

namespace warpfork::gpu {
namespace temporal_lane_model_test {

constexpr unsigned kBanks = 8, kCollectorGroups = 6, kSharedBanks = 16, kThreads = 32, kCycles = 40000;

using Banks = std::set<unsigned>;  // of registers or of shared memory

/// Of a group: those of group 0 and as many further on.
Banks banks_of(BankSet first, unsigned group) {
  Banks banks;
  for (unsigned bank = 0; bank < kBanks; ++bank)
    if (first >> bank & 1) banks.insert((bank + group) % kBanks);
  return banks;
}

/// True if none is taken; then they are.
bool take_all(Banks& taken, const Banks& wanted) {
  for (const unsigned bank : wanted)
    if (taken.contains(bank)) return false;
  taken.insert(wanted.begin(), wanted.end());
  return true;
}

/// Every group and bank on its own, nothing remembered that can be asked for again. What happens goes into `log`.
class PlainLane {
 public:
  explicit PlainLane(StageRegister& memory) : memory_(memory) {}

  bool can_take(Cycle now) const { return waiting_.empty() && now >= register_free_; }

  /// Its threads come to these banks of shared memory, if they do.
  void take(const LaneInstruction& instruction, const std::vector<unsigned>& shared_banks) {
    flights_.push_back({instruction, shared_banks});
    for (std::uint64_t rest = instruction.groups; rest != 0; rest &= rest - 1)
      waiting_.push_back({flights_.size() - 1, static_cast<unsigned>(std::countr_zero(rest)),
                          static_cast<unsigned>(waiting_.size()), (rest & (rest - 1)) == 0});
  }

  bool write_load(BankSet first, std::uint64_t groups) {
    if (loads_.size() == kBanks) return false;
    loads_.push_back({first, groups});
    return true;
  }

  /// Another lane takes these banks of shared memory, and maybe the special-function unit.
  void cycle(Cycle now, const Banks& of_other, bool other_is_special) {
    of_other_ = of_other;
    other_is_special_ = other_is_special;
    tell_results(now);
    for (auto& [first, groups] : loads_)
      if (take_all(written_[now], banks_of(first, static_cast<unsigned>(std::countr_zero(groups)))))
        groups &= groups - 1;
    std::erase_if(loads_, [](const auto& load) { return load.second == 0; });
    if (!collector_.empty() && enters(collector_.front(), now)) collector_.pop_front();
    Banks taken = written_[now];
    for (Group& group : collector_)
      if (group.ready == kNever) read(group, taken, now);
    if (waiting_.empty() || collector_.size() == kCollectorGroups || now < next_group_) return;
    collector_.push_back(waiting_.front());
    waiting_.pop_front();
    next_group_ = now + flights_[collector_.back().flight].instruction.interval;
    if (collector_.back().last) register_free_ = next_group_ - 1;
  }

  std::vector<std::string> log;

 private:
  struct Flight {
    LaneInstruction instruction;
    std::vector<unsigned> shared_banks;  // by thread
    Cycle forward = kNever, done = kNever;
    bool told = false, left = false;
  };
  struct Group {
    std::size_t flight;
    unsigned number, ordinal;
    bool last;
    bool served = false;  // by shared memory or the special-function unit
    unsigned round = 0;
    Banks read{};
    Cycle ready = kNever;
  };

  void tell_results(Cycle now) {
    for (std::size_t i = 0; i < flights_.size(); ++i) {
      Flight& flight = flights_[i];
      if (!flight.told && flight.forward <= now) log.push_back(fmt::format("{}: result of {}", now, i % 256));
      flight.told |= flight.forward <= now;
      if (!flight.left && flight.done <= now) log.push_back(fmt::format("{}: {} leaves", now, i % 256));
      flight.left |= flight.done <= now;
    }
  }

  bool enters(Group& group, Cycle now) {
    Flight& flight = flights_[group.flight];
    const LaneInstruction& of = flight.instruction;
    if (group.ready > now || now < units_free_) return false;
    group.served |= of.way == LaneInstruction::Way::Special  ? !other_is_special_
                    : of.way == LaneInstruction::Way::Shared ? !of_other_.contains(flight.shared_banks[group.number])
                                                             : true;
    if (!group.served) return false;
    const Cycle result = now + of.interval + of.depth + 2;
    if (of.way == LaneInstruction::Way::Memory) {
      if (group.last && !memory_.has_room()) return false;
      if (group.last) memory_.push(of.id);
    } else {
      if (!take_all(written_[result], banks_of(of.writes, group.number))) return false;
      const auto groups = static_cast<unsigned>(std::popcount(of.groups));
      if (!flight.told) flight.forward = result - group.ordinal * of.interval + (of.interval - 1) * (groups - 1);
      if (group.last) flight.done = result;
    }
    units_free_ = now + of.interval;
    log.push_back(fmt::format("{}: group {} of {} enters", now, group.number, group.flight % 256));
    return true;
  }

  void read(Group& group, Banks& taken, Cycle now) {
    const LaneInstruction& of = flights_[group.flight].instruction;
    const Banks wanted = banks_of(of.reads[group.round], group.number);
    for (const unsigned bank : wanted)
      if (!group.read.contains(bank) && taken.insert(bank).second) group.read.insert(bank);
    if (group.read != wanted) return;
    group.read.clear();
    if (++group.round == of.reads.size() || of.reads[group.round] == 0)
      group.ready = now + (of.way == LaneInstruction::Way::Memory ? 1 : 2);
  }

  StageRegister& memory_;
  std::deque<Flight> flights_;
  std::deque<Group> waiting_, collector_;
  std::vector<std::pair<BankSet, std::uint64_t>> loads_;
  std::map<Cycle, Banks> written_;
  Banks of_other_;
  bool other_is_special_ = false;
  Cycle register_free_ = 0, units_free_ = 0, next_group_ = 0;
};

/// The same of the lane itself.
struct Log : LaneListener, WarpEvents {
  void entered(const InFlight& record, unsigned, ActiveMask threads, Cycle at) override {
    lines.push_back(fmt::format("{}: group {} of {} enters", at, std::countr_zero(threads.bits()), record.warp));
  }
  void written_back(const InFlight& record) override {
    lines.push_back(fmt::format("{}: result of {}", now, record.warp));
  }
  void left_pipeline(unsigned warp) override { lines.push_back(fmt::format("{}: {} leaves", now, warp)); }
  void store_acknowledged(unsigned) override {}
  void atomic_done(unsigned) override {}
  Cycle now = 0;
  std::vector<std::string> lines;
};

class TemporalLaneModel : public ::testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  /// Loads come in one cycle of so many.
  unsigned cycles_a_load() const { return std::get<0>(GetParam()); }
  /// Whether someone hears of every group; else of results alone, and the lane need not go through every cycle.
  bool heard() const { return std::get<1>(GetParam()); }

  BankSet some_banks() { return 1u << random_() % kBanks | 1u << random_() % kBanks; }

  /// All of a warp, a few neighbours, a few anywhere, or runs of neighbours.
  std::uint64_t some_groups() {
    if (random_() % 2) return random_() % 4 == 0 ? 0xffffffffu : ((4u << random_() % 4) - 1) << random_() % 20;
    return random_() % 2 ? random_() & random_() & random_() : ~(1u << random_() % 32 | 1u << random_() % 32);
  }

  LaneInstruction random_instruction(unsigned number) {
    LaneInstruction made;
    made.id = pool_.take();
    if (random_() % 4 == 0) made.way = LaneInstruction::Way::Memory;
    if (random_() % 4 == 0) made.way = LaneInstruction::Way::Shared;
    made.groups = std::max<std::uint64_t>(1, some_groups());
    if (random_() % 6 == 0) made.way = LaneInstruction::Way::Special;
    made.special = kThreads;  // a thread a cycle
    if (random_() % 4 == 0 && made.way != LaneInstruction::Way::Shared) made.interval = 1 + random_() % 4;
    made.depth = random_() % 12;
    made.reads[0] = random_() % 8 ? some_banks() : 0;
    for (unsigned round = 1; round < 4 && made.reads[round - 1] != 0 && random_() % 2; ++round)
      made.reads[round] = made.reads[round - 1] & -made.reads[round - 1];
    made.writes = random_() % 4 ? some_banks() : 0;
    pool_[made.id].executed = ActiveMask(made.groups);
    pool_[made.id].warp = static_cast<std::uint8_t>(number);
    for (unsigned thread = 0; thread < kThreads; ++thread)
      pool_[made.id].extra->transaction[thread].address = random_() % kSharedBanks * 4;
    return made;
  }
  std::vector<unsigned> shared_banks(const LaneInstruction& of) {
    std::vector<unsigned> banks;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      banks.push_back(static_cast<unsigned>(pool_[of.id].extra->transaction[thread].address / 4));
    return banks;
  }

  /// Which banks of shared memory another lane takes in this cycle, while it comes there.
  Banks banks_of_other(Cycle now) {
    Banks banks;
    if (now > other_until_ && random_() % 20 == 0) other_until_ = now + random_() % 10;
    if (now <= other_until_)
      for (unsigned thread = 0; thread < 16; ++thread) banks.insert(static_cast<unsigned>(random_() % kSharedBanks));
    return banks;
  }
  /// Whether another lane's thread takes the special-function unit in this cycle, before this lane.
  bool serve_other_special(Cycle now) { return random_() % 64 < now / 64 % 64 && shared_.special.serve(kThreads, now); }
  /// It does, before this lane.
  void serve_other(const Banks& banks, TemporalLane& lane, Cycle now) {
    for (const unsigned bank : banks) {
      const std::uint64_t address = (bank + kSharedBanks) * 4;
      if (shared_.banks.lanes_in_the_way(address, now) != 0) end_streams(lane, now);
      shared_.banks.serve(address, now);
    }
  }

  void end_streams(TemporalLane& lane, Cycle now) {
    lane.end_streams(now);
    waits_ = false;
  }
  /// Unless it is asleep, or waits for the special-function unit, which another lane has.
  void cycle(TemporalLane& lane, Log& log, Cycle now) {
    if (!heard() && lane.asleep(now)) return;
    if (waits_ && !shared_.special.has_room(now)) return;
    lane.cycle(heard() ? &log : nullptr, now);
    waits_ =
        std::exchange(shared_.refusal, SharedUnits::Refusal::None) == SharedUnits::Refusal::Special && lane.waits(now);
    waited_ += waits_;
  }

  std::mt19937 random_{77};
  InFlightPool pool_;
  SharedUnits shared_{SharedMemoryPorts(kSharedBanks), SpecialFunctionUnits(32), StageRegister(1)};
  Cycle other_until_ = 0;
  bool waits_ = false;   // the lane does, if nothing comes to it
  unsigned waited_ = 0;  // cycles from which on it did
};

TEST_P(TemporalLaneModel, takes_every_group_through_in_the_cycles_of_the_model) {
  TemporalLane lane({.banks = kBanks, .collector_groups = kCollectorGroups, .horizon = 20}, pool_, shared_);
  StageRegister memory(1);
  PlainLane model(memory);
  Log log;
  unsigned taken = 0;
  for (Cycle now = 1; now < kCycles; ++now) {
    log.now = now;
    const bool room = random_() % 8 == 0;
    for (StageRegister* stage : {&memory, &shared_.memory})
      if (room && !stage->empty()) stage->pop();
    if (lane.due() <= now) lane.write_back(log, now);
    if (random_() % cycles_a_load() == 0) {
      const BankSet banks = some_banks();
      const std::uint64_t groups = 1 + random_() % 0xffff;
      EXPECT_EQ(lane.write_load(banks, groups), model.write_load(banks, groups)) << now;
      waits_ = false;
    }
    const Banks of_other = banks_of_other(now);
    serve_other(of_other, lane, now);
    const bool other_is_special = serve_other_special(now);
    cycle(lane, log, now);
    model.cycle(now, of_other, other_is_special);
    if (!heard()) std::erase_if(model.log, [](const std::string& line) { return line.ends_with("enters"); });
    ASSERT_EQ(std::exchange(log.lines, {}), std::exchange(model.log, {})) << now;
    ASSERT_EQ(lane.can_take(now), model.can_take(now)) << now;
    if (lane.can_take(now) && random_() % 3 != 0) {
      const LaneInstruction next = random_instruction(taken++);
      lane.take(next, now, heard());
      lane.end_warp(pool_[next.id].warp);
      waits_ = false;
      model.take(next, shared_banks(next));
    }
  }
  EXPECT_GT(taken, 100u);
  EXPECT_GT(waited_, 100u);
}

INSTANTIATE_TEST_SUITE_P(LoadsInOneCycleOf, TemporalLaneModel,
                         ::testing::Combine(::testing::Values(8u, 60u, 100000u), ::testing::Bool()));

}  // namespace temporal_lane_model_test
}  // namespace warpfork::gpu
