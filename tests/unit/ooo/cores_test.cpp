// The three cores on random SPMD programs. Each checks itself while it runs: instructions commit once, in recorded
// order, on paths whose masks are those of the recording.
#include "ooo/cores.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string_view>

#include "ooo/disambiguation.h"
#include "ooo/predict/divergence_predictor.h"
#include "unit/ooo/core_setup.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace cores_test {

constexpr unsigned kPrograms = 60;

struct Outcome {
  CoreCounts counts;
  std::uint64_t recorded = 0;  // thread instructions
};

/// `threads` of the machine's threads run the program, the others nothing.
Outcome run(const std::string& core, const MachineSpec& machine, const SpmdProgram& program, unsigned seed,
            unsigned threads) {
  Outcome outcome;
  std::vector<std::vector<SpmdProgram::Step>> all(std::size_t{machine.warps} * machine.threads);
  for (unsigned thread = 0; thread < threads; ++thread) {
    all[thread] = program.run(thread, seed);
    outcome.recorded += all[thread].size();
  }
  outcome.counts = run_listened(core, machine, std::move(all), {});
  return outcome;
}

class Cores : public ::testing::TestWithParam<CoreSetup> {};

TEST_P(Cores, commit_what_was_recorded) {
  const CoreSetup& setup = GetParam();
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    const Outcome outcome =
        run(setup.core, setup.machine(), SpmdProgram::random(seed), seed, setup.warps * setup.threads);
    EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << "seed " << seed;
    EXPECT_GT(outcome.counts.cycles, 0u);
    const unsigned warps = find_core(setup.core).adapt(setup.machine()).warps;
    const auto& told = outcome.counts.warp_cycles;
    EXPECT_EQ(std::accumulate(told.begin(), told.end(), std::uint64_t{0}), outcome.counts.cycles * warps);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Cores,
                         ::testing::Values(CoreSetup{"smt", "rat", 2, 4}, CoreSetup{"smt", "pirat", 1, 1},
                                           CoreSetup{"ditva", "pirat", 2, 4}, CoreSetup{"ditva", "pirat", 1, 64},
                                           CoreSetup{"simt-x", "pirat", 2, 2}, CoreSetup{"simt-x", "pirat", 2, 4},
                                           CoreSetup{"simt-x", "pirat", 2, 8}, CoreSetup{"simt-x", "pirat", 4, 4},
                                           CoreSetup{"simt-x", "pirat", 1, 64}, CoreSetup{"simt-x", "rat", 2, 4},
                                           CoreSetup{"simt-x", "free-merge", 2, 4}),
                         name_of);

// Loads that wait for more cannot make a core faster, and it still executes everything, once and in order.
TEST(Cores, commit_what_was_recorded_whatever_loads_wait_for) {
  for (const char* const rename : {"pirat", "rat", "free-merge"}) {
    std::uint64_t cycles[3] = {};
    for (unsigned seed = 1; seed <= kPrograms; ++seed)
      for (unsigned i = 0; i < kDisambiguations.size(); ++i) {
        MachineSpec machine = CoreSetup{"simt-x", rename, 2, 4}.machine();
        machine.disambiguation = kDisambiguations[i].name;
        const Outcome outcome = run("simt-x", machine, SpmdProgram::random(seed), seed, 8);
        EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << "seed " << seed;
        cycles[i] += outcome.counts.cycles;
      }
    EXPECT_LT(cycles[0], cycles[1]) << rename;
    EXPECT_LT(cycles[1], cycles[2]) << rename;
  }
}

// SIMT-X 4.2: once the divergence predictor has learnt that nothing diverges (three times for each of its counters),
// there are no buops, hence no merges.
TEST(SingleThread, simt_x_is_as_fast_as_smt) {
  MachineSpec one, four;
  one.warps = one.threads = four.warps = 1;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const SpmdProgram program = SpmdProgram::random(seed, 3000);
    const Outcome smt = run("smt", one, program, seed, 1), simt_x = run("simt-x", four, program, seed, 1);
    EXPECT_LE(simt_x.counts.front.predicted_divergent, 3 * DivergencePredictor::kEntries) << "seed " << seed;
    EXPECT_NEAR(static_cast<double>(simt_x.counts.cycles), static_cast<double>(smt.counts.cycles),
                0.01 * static_cast<double>(smt.counts.cycles))
        << "seed " << seed;
  }
}

// A branch that waits for memory is thought divergent, as every first one is, in warps of one thread, too: registers
// written behind it have two values until they are written again.
TEST(Warps, of_one_thread_go_on_however_many_there_are) {
  for (const x86::RegisterId written : {8, 16}) {
    SpmdProgram program;
    program.load(0, 1);
    program.alu(0, 0);
    x86::StaticInstruction& branch = program.branch({.percent = 0});
    branch.target = program.here();
    for (x86::RegisterId each = 0; each < written; ++each) program.alu(each, each);
    program.end();
    for (const char* const rename : {"pirat", "pirat-rewrite", "free-merge", "rat"})
      for (const unsigned warps : {4u, 8u, 16u, 64u}) {
        const Outcome outcome = run("simt-x", CoreSetup{"simt-x", rename, warps, 1}.machine(), program, 1, warps);
        EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << rename << ' ' << warps;
      }
  }
}

/// As "call [rax]" has them. A branch's µops stay in the queues until all of them have executed.
void add_call(SpmdProgram& program) {
  x86::Uop load, store, target;
  load.kind = x86::UopKind::Load;
  load.destinations[load.destination_count++] = x86::kTemporary;
  store.kind = x86::UopKind::Store;
  store.access = 1;
  target.kind = x86::UopKind::Branch;
  target.sources[target.source_count++] = x86::kTemporary;
  x86::StaticInstruction& call = program.add({load, store, target}, {{.store = false, .masked = false, .bytes = 8},
                                                                     {.store = true, .masked = false, .bytes = 8}});
  call.branch = x86::BranchKind::Conditional;
  call.target = program.here();
}

// All eight threads may have begun a branch that accesses memory twice; the ninth entry ends one.
TEST(Warps, with_the_fewest_entries_of_the_load_store_queue_go_on) {
  SpmdProgram program;
  for (unsigned i = 0; i < 20; ++i) add_call(program);
  program.end();
  MachineSpec machine = CoreSetup{"smt", "pirat", 8, 1}.machine();
  machine.pipeline.load_store_queue = 9;
  for (const unsigned width : {1u, 2u, 3u, 4u}) {
    machine.pipeline.rename_width = width;
    const Outcome outcome = run("smt", machine, program, 1, 8);
    EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << width;
  }
}

// More warps than the reorder buffer has entries for two µops each of a branch that has three.
TEST(Warps, with_the_fewest_entries_of_the_reorder_buffer_go_on) {
  SpmdProgram program;
  program.load(0, 1);
  for (unsigned i = 0; i < 60; ++i) add_call(program);
  program.end();
  for (const char* const core : {"smt", "simt-x"})
    for (const unsigned warps : {4u, 8u, 32u})
      for (const unsigned width : {1u, 2u, 3u, 4u}) {
        MachineSpec machine = CoreSetup{core, "pirat", warps, 2}.machine();
        machine.pipeline.reorder_buffer = 8;
        machine.pipeline.rename_width = width;
        const Outcome outcome = run(core, machine, program, 1, 2 * warps);
        EXPECT_EQ(outcome.counts.front.thread_instructions, outcome.recorded) << core << ' ' << warps << ' ' << width;
      }
}

/// Gives the key of the machine another value that is possible.
template <class Spec>
void change(Spec& spec, std::string_view wanted, const std::string& prefix = "") {
  spec.visit([&]<class Value>(std::string_view name, Value& value, std::string_view, Range = {}) {
    const std::string key = prefix + std::string(name);
    if constexpr (std::is_class_v<Value> && !std::is_same_v<Value, std::string>)
      change(value, wanted, key + ".");
    else if constexpr (std::is_same_v<Value, std::string>)
      value = key != wanted             ? value
              : key == "rename"         ? "rat"
              : key == "issue_order"    ? "warp"
              : key == "disambiguation" ? "perfect"
                                        : "partitioned";
    else if constexpr (std::is_same_v<Value, bool>)
      value = value != (key == wanted);
    else
      value = key != wanted ? value : 5 * value + 9;
  });
}

/// That only some cores use.
std::set<std::string_view> listed_keys() {
  std::set<std::string_view> keys;
  for (const CoreRecipe& core : core_recipes()) keys.insert(core.keys.begin(), core.keys.end());
  return keys;
}

TEST(Cores, are_the_same_whatever_is_set_that_they_do_not_use) {
  const SpmdProgram program = SpmdProgram::random(7, 120);
  for (const CoreRecipe& core : core_recipes()) {
    const CoreCounts expected = run(std::string(core.name), {}, program, 1, 8).counts;
    for (const std::string_view key : listed_keys()) {
      if (core.uses(key)) continue;
      MachineSpec other;
      change(other, key);
      const CoreCounts counts = run(std::string(core.name), other, program, 1, 8).counts;
      EXPECT_EQ(counts.cycles, expected.cycles) << core.name << ' ' << key;
      EXPECT_EQ(counts.uops, expected.uops) << core.name << ' ' << key;
      EXPECT_EQ(counts.flushed, expected.flushed) << core.name << ' ' << key;
    }
  }
}

TEST(Cores, use_keys_that_none_lists_and_of_others_their_own) {
  EXPECT_FALSE(find_core("ditva").uses("rename"));
  EXPECT_FALSE(find_core("smt").uses("issue_order"));
  EXPECT_TRUE(find_core("ditva").uses("pipeline.load_store_queue"));  // its area and energy
}

// Eight threads: an addition and the end on integer units, four words of a 256-bit addition, a stored one.
TEST(Cores, count_operations_of_lanes_by_unit) {
  SpmdProgram program;
  program.alu(0, 1);
  program.vector(x86::UopWidth::Avx);
  program.store(0, 1);
  program.end();
  for (const std::string& core : core_names()) {
    const OperationCounts counts = run(core, {}, program, 1, 8).counts.operations;
    EXPECT_EQ(counts.integer, 8u * 2) << core;
    EXPECT_EQ(counts.floating_point, 8u * 4) << core;
    EXPECT_EQ(counts.memory, 8u) << core;
    EXPECT_EQ(counts.multiply + counts.vector, 0u) << core;
  }
}

// A rep movs of which one execution has more µops than the reorder buffer, and then goes on at itself.
TEST(Cores, commit_long_repetitions) {
  constexpr std::size_t kIterations = 1000;
  SpmdProgram program;
  x86::Uop load, store;
  load.kind = x86::UopKind::Load;
  store.kind = x86::UopKind::Store;
  store.access = 1;
  x86::StaticInstruction& copy = program.add(
      {load, store}, {{.store = false, .masked = false, .bytes = 8}, {.store = true, .masked = false, .bytes = 8}});
  copy.repeats = true;
  program.end();
  std::vector<SpmdProgram::Step> steps = program.follow({SpmdProgram::kBase, SpmdProgram::kBase, program.here() - 4});
  for (std::size_t part = 0; part < 2; ++part) {
    steps[part].addresses.clear();
    for (std::size_t i = 0; i < kIterations; ++i)
      for (const std::uint64_t base : {0x10000u, 0x80000u}) steps[part].addresses.push_back(base + 8 * i);
  }
  for (const std::string& core : core_names())
    EXPECT_EQ(run_listened(core, one_thread(), {steps}, {}).front.thread_instructions, 3u) << core;
}

/// Part of one thread's cycles that had this cause.
double part(const std::string& core, const SpmdProgram& program, CycleCause cause) {
  const CoreCounts counts = run(core, one_thread(), program, 1, 1).counts;
  return static_cast<double>(counts.warp_cycles[static_cast<unsigned>(cause)]) / static_cast<double>(counts.cycles);
}

// Loads that wait for each other's results, 215 cycles each; additions that do, 1 cycle each, so that one is always
// busy; 256-bit additions, of which two fit into a cycle, and three cycles each if they wait for each other.
TEST(Cores, tell_where_the_cycles_go) {
  SpmdProgram loads, additions, vectors;
  for (unsigned i = 0; i < 100; ++i) loads.load(1, 1);
  for (unsigned i = 0; i < 1000; ++i) additions.alu(1, 1);
  for (unsigned i = 0; i < 1000; ++i) vectors.vector(x86::UopWidth::Avx);
  for (SpmdProgram* const program : {&loads, &additions, &vectors}) program->end();
  for (const std::string& core : core_names()) {
    EXPECT_GT(part(core, loads, CycleCause::Memory), 0.9) << core;
    EXPECT_GT(part(core, additions, CycleCause::Busy), 0.95) << core;
    EXPECT_NEAR(part(core, vectors, CycleCause::Busy), 1 / 3.0, 0.02) << core;
    EXPECT_NEAR(part(core, vectors, CycleCause::Latency), 2 / 3.0, 0.02) << core;
  }
}

// All write the flags, in program order, and nobody reads them.
TEST(InOrderCore, issues_four_additions_a_cycle) {
  const auto cycles = [&](unsigned additions) {
    SpmdProgram program;
    for (unsigned i = 0; i < additions; ++i) program.alu(static_cast<x86::RegisterId>(i % 4), 5);
    program.end();
    return run("ditva", one_thread(), program, 1, 1).counts.cycles;
  };
  EXPECT_EQ(cycles(800) - cycles(400), 100u);
}

TEST(Cores, take_the_same_cycles_every_time) {
  const SpmdProgram program = SpmdProgram::random(8);
  for (const std::string& core : core_names())
    EXPECT_EQ(run(core, {}, program, 8, 8).counts.cycles, run(core, {}, program, 8, 8).counts.cycles);
}

}  // namespace cores_test
}  // namespace warpfork::ooo
