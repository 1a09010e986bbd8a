// Every rename strategy against one-thread-at-a-time renaming: random paths, divergence resolved late, flushes.
// WARPFORK_CONTRACT_PROGRAMS sets the number of programs of each test; a failure prints the tape that repeats it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

#include "rename_machine.h"

namespace warpfork::ooo {
namespace rename_oracle_test {

/// A random program, read from a tape of bytes: what happens next on a RenameMachine, which checks every value read.
class RandomRun {
 public:
  RandomRun(const std::string& strategy, const std::vector<std::uint8_t>& tape, unsigned lanes)
      : tape_(tape), spec_(spec(strategy, lanes)), machine_(spec_) {}

  void run() {
    start();
    while (at_ < tape_.size()) {
      step();
      check_paths();
      if (at_ % 8 == 0) machine_.audit();
    }
    drain();
  }

 private:
  using Kind = RenameMachine::Item::Kind;

  unsigned next(unsigned bound) { return at_ < tape_.size() ? tape_[at_++] % bound : 0; }

  RenameMachineSpec spec(const std::string& strategy, unsigned lanes) {
    RenameMachineSpec spec;
    spec.strategy = strategy;
    spec.paths = {lanes == 0 ? 1 + next(6) : lanes, 0};
    spec.paths.entries = spec.paths.lanes + 2 + next(6);
    spec.architectural = 2 + next(3);
    spec.integer = 2 * spec.architectural + 8 + next(8);  // free_list.h: the least that is sure of progress
    spec.flags = 2 * spec.paths.lanes + spec.paths.entries + next(8);
    return spec;
  }

  void start() {
    const LaneMask all = first_lanes(spec_.paths.lanes), some = next(64) & all;
    if (some != 0) machine_.paths().start(some);
    if (some != all) machine_.paths().start(all & ~some);
  }

  std::vector<PathId> scheduled() {
    std::vector<PathId> paths;
    for (unsigned path = 0; path < spec_.paths.entries; ++path)
      if (machine_.paths().exists(static_cast<PathId>(path)) && machine_.paths().scheduled(static_cast<PathId>(path)))
        paths.push_back(static_cast<PathId>(path));
    return paths;
  }
  PathId any_path() {
    const std::vector<PathId> paths = scheduled();
    return paths.at(next(static_cast<unsigned>(paths.size())));
  }

  void step() {
    if (scheduled().empty()) return wind_up();
    switch (next(20)) {
      case 0:
        return machine_.strategy().begin_block();
      case 1:
      case 2:
        return void(machine_.diverge(any_path()));
      case 3:
      case 4:
        return resolve_one();
      case 5:
      case 6:
        return converge();
      case 7:
      case 8:
      case 9:
        return commit(1 + next(6));
      case 10:
        return machine_.squash(next(8));
      case 11:
        return rare();
      default:
        return rename();
    }
  }

  void rare() {
    switch (next(6)) {
      case 0:
        return machine_.flush();
      case 1:
        return machine_.end(any_path());
      case 2:
        return machine_.start_again();
    }
  }

  // All threads have ended, as far as the front end knows.
  void wind_up() {
    resolve_one();
    commit(1 + next(6));
    if (next(2) == 0) machine_.squash(next(4));
    machine_.start_again();
  }

  void rename() {
    const PathId path = any_path();
    std::vector<x86::RegisterId> sources, destinations;
    for (unsigned count = next(4); count-- > 0;) sources.push_back(any_register());
    for (unsigned count = next(3); count-- > 0;) {
      const x86::RegisterId destination = any_register();
      if (destinations.empty() || destinations[0] != destination) destinations.push_back(destination);
    }
    if (machine_.rename(path, sources, destinations) == RenameOutcome::SeveralMerges) must_rename(path, sources);
  }
  x86::RegisterId any_register() {
    const std::vector<x86::RegisterId> registers = machine_.registers();
    return registers[next(static_cast<unsigned>(registers.size()))];
  }

  // A block of its own never has several merges of one register.
  void must_rename(PathId path, const std::vector<x86::RegisterId>& sources) {
    machine_.strategy().begin_block();
    if (machine_.rename(path, sources, {}) == RenameOutcome::SeveralMerges)
      throw std::runtime_error("a block with one µop stalls for merges");
  }

  void converge() {
    const PathId first = any_path(), second = any_path();
    if (first != second) machine_.converge(first, second);
  }

  void resolve_one() {
    std::vector<Divergence> ready;
    for (const RenameMachine::Item& item : machine_.in_flight())
      if (item.kind == Kind::Branch && machine_.paths().resolved(item.divergence.from) &&
          !machine_.paths().resolved(item.divergence.created))
        ready.push_back(item.divergence);
    if (ready.empty()) return;
    const Divergence& branch = ready[next(static_cast<unsigned>(ready.size()))];
    const LaneMask lanes = machine_.paths().mask(branch.from);
    machine_.resolve(branch.created, next(4) == 0 ? lanes : lanes & next(256));
  }

  void commit(unsigned count) {
    while (count-- > 0 && machine_.commit()) continue;
  }

  // Each lane is on one path that is scheduled or ends, or has ended.
  void check_paths() {
    LaneMask seen = machine_.ended();
    std::vector<PathId> paths = scheduled();
    for (const RenameMachine::Item& item : machine_.in_flight())
      if (item.kind == Kind::End) paths.push_back(item.path);
    for (const PathId path : paths) {
      if ((seen & machine_.paths().mask(path)) != 0) throw std::runtime_error(machine_.paths().describe());
      seen |= machine_.paths().mask(path);
    }
    if (seen != first_lanes(spec_.paths.lanes)) throw std::runtime_error(machine_.paths().describe());
  }

  // Lets everything commit; then every path reads every register.
  void drain() {
    for (unsigned idle = 0; !machine_.in_flight().empty(); idle = machine_.commit() ? 0 : idle + 1) {
      if (idle > machine_.in_flight().size()) throw std::runtime_error("what is in flight cannot commit");
      resolve_one();
    }
    machine_.audit();
    if (machine_.strategy().table().divergence_pending()) throw std::runtime_error("a divergence stays pending");
    if (machine_.paths().used() != scheduled().size()) throw std::runtime_error(machine_.paths().describe());
    for (const PathId path : scheduled())
      for (const x86::RegisterId r : machine_.registers()) {
        machine_.strategy().begin_block();
        if (machine_.rename(path, {r}, {}) != RenameOutcome::Renamed)
          throw std::runtime_error("an idle machine cannot rename");
        while (machine_.commit()) continue;
      }
    machine_.audit();
  }

  const std::vector<std::uint8_t>& tape_;
  std::size_t at_ = 0;
  RenameMachineSpec spec_;
  RenameMachine machine_;
};

void hold(const std::string& strategy, unsigned lanes) {
  const char* wanted = std::getenv("WARPFORK_CONTRACT_PROGRAMS");
  rc::detail::TestParams parameters;
  parameters.seed = 1;
  parameters.maxSuccess = wanted ? std::atoi(wanted) : 3000;
  parameters.maxSize = 1000;  // bytes of tape
  const auto property = [&] {
    const auto tape = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    RandomRun(strategy, tape, lanes).run();
  };
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
}

class RenameOracle : public ::testing::TestWithParam<std::string_view> {};

TEST_P(RenameOracle, every_lane_reads_its_own_last_writer) { hold(std::string(GetParam()), 0); }

TEST_P(RenameOracle, a_warp_of_one_thread_reads_its_last_writer) { hold(std::string(GetParam()), 1); }

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const RenameStrategyEntry& strategy : rename_strategies()) names.push_back(strategy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, RenameOracle, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name(info.param);
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

}  // namespace rename_oracle_test
}  // namespace warpfork::ooo
