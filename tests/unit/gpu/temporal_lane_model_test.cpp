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

constexpr unsigned kBanks = 8, kCollectorGroups = 6, kCycles = 40000;

using Banks = std::set<unsigned>;

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

  void take(const LaneInstruction& instruction) {
    flights_.push_back({instruction});
    for (std::uint64_t rest = instruction.groups; rest != 0; rest &= rest - 1)
      waiting_.push_back({flights_.size() - 1, static_cast<unsigned>(std::countr_zero(rest)),
                          static_cast<unsigned>(waiting_.size()), (rest & (rest - 1)) == 0});
  }

  bool write_load(BankSet first, std::uint64_t groups) {
    if (loads_.size() == kBanks) return false;
    loads_.push_back({first, groups});
    return true;
  }

  void cycle(Cycle now) {
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
    Cycle forward = kNever, done = kNever;
    bool told = false, left = false;
  };
  struct Group {
    std::size_t flight;
    unsigned number, ordinal;
    bool last;
    unsigned round = 0;
    Banks served{};
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

  bool enters(const Group& group, Cycle now) {
    Flight& flight = flights_[group.flight];
    const LaneInstruction& of = flight.instruction;
    if (group.ready > now || now < units_free_) return false;
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
      if (!group.served.contains(bank) && taken.insert(bank).second) group.served.insert(bank);
    if (group.served != wanted) return;
    group.served.clear();
    if (++group.round == of.reads.size() || of.reads[group.round] == 0)
      group.ready = now + (of.way == LaneInstruction::Way::Memory ? 1 : 2);
  }

  StageRegister& memory_;
  std::deque<Flight> flights_;
  std::deque<Group> waiting_, collector_;
  std::vector<std::pair<BankSet, std::uint64_t>> loads_;
  std::map<Cycle, Banks> written_;
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

  /// All of a warp, a few, or runs of neighbours.
  std::uint64_t some_groups() {
    if (random_() % 2) return 0xffffffffu;
    return random_() % 2 ? random_() & random_() & random_() : ~(1u << random_() % 32 | 1u << random_() % 32);
  }

  LaneInstruction random_instruction(unsigned number) {
    LaneInstruction made;
    made.id = pool_.take();
    if (random_() % 4 == 0) made.way = LaneInstruction::Way::Memory;
    made.groups = std::max<std::uint64_t>(1, some_groups());
    if (random_() % 4 == 0) made.interval = 1 + random_() % 4;
    made.depth = random_() % 12;
    made.reads[0] = random_() % 8 ? some_banks() : 0;
    if (made.reads[0] != 0 && random_() % 4 == 0) made.reads[1] = made.reads[0] & -made.reads[0];
    made.writes = random_() % 4 ? some_banks() : 0;
    pool_[made.id].executed = ActiveMask(made.groups);
    pool_[made.id].warp = static_cast<std::uint8_t>(number);
    return made;
  }

  std::mt19937 random_{77};
  InFlightPool pool_;
};

TEST_P(TemporalLaneModel, takes_every_group_through_in_the_cycles_of_the_model) {
  TemporalLane lane({.banks = kBanks, .collector_groups = kCollectorGroups, .horizon = 20}, pool_);
  TemporalLane::Shared shared{SharedMemoryPorts(32), SpecialFunctionUnits(32), StageRegister(1)};
  StageRegister memory(1);
  PlainLane model(memory);
  Log log;
  unsigned taken = 0;
  for (Cycle now = 1; now < kCycles; ++now) {
    log.now = now;
    const bool room = random_() % 8 == 0;
    for (StageRegister* stage : {&memory, &shared.memory})
      if (room && !stage->empty()) stage->pop();
    lane.write_back(log, now);
    if (random_() % cycles_a_load() == 0) {
      const BankSet banks = some_banks();
      const std::uint64_t groups = 1 + random_() % 0xffff;
      EXPECT_EQ(lane.write_load(banks, groups), model.write_load(banks, groups)) << now;
    }
    if (heard() || !lane.asleep(now)) lane.cycle(shared, heard() ? &log : nullptr, now);
    model.cycle(now);
    if (!heard()) std::erase_if(model.log, [](const std::string& line) { return line.ends_with("enters"); });
    ASSERT_EQ(std::exchange(log.lines, {}), std::exchange(model.log, {})) << now;
    ASSERT_EQ(lane.can_take(now), model.can_take(now)) << now;
    if (!lane.can_take(now) || random_() % 3 == 0) continue;
    const LaneInstruction next = random_instruction(taken++);
    lane.take(next, now, heard());
    model.take(next);
  }
  EXPECT_GT(taken, 100u);
}

INSTANTIATE_TEST_SUITE_P(LoadsInOneCycleOf, TemporalLaneModel,
                         ::testing::Combine(::testing::Values(8u, 60u, 100000u), ::testing::Bool()));

}  // namespace temporal_lane_model_test
}  // namespace warpfork::gpu
