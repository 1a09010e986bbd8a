// The contract suite: every registered mechanism against a one-thread-at-a-time oracle on random control flow.
// WARPFORK_CONTRACT_PROGRAMS sets the number of programs of each test; the tests print how to repeat a failure.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "divergence/registry.h"
#include "driver.h"
#include "program_generator.h"

namespace warpfork::contract {
namespace contract_test {

int programs() {
  const char* wanted = std::getenv("WARPFORK_CONTRACT_PROGRAMS");
  return wanted ? std::atoi(wanted) : 2000;
}

/// One random case: a program, the lanes of its warps, and the seed of branch outcomes and scheduler.
struct Case {
  static Case any(Shape shape, ReconvergenceRule rule = ReconvergenceRule::Postdominator) {
    const auto tape = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    const auto warps = *rc::gen::container<std::vector<std::uint64_t>>(
        *rc::gen::inRange<std::size_t>(1, 5),
        rc::gen::element<std::uint64_t>(1, 0b11, 0xf, 0xff, 0xffff, ~0u, 0xffff'ffff'ffff, ~0ull));
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    Case random{make_program(shape, rule, tape), {}, seed, *rc::gen::inRange(0u, 4u)};
    for (std::uint64_t bits : warps) random.lanes.emplace_back(bits);
    return random;
  }

  IssueCounts run(std::string_view mechanism, unsigned limit) const { return run(mechanism, {.max_splits = limit}); }

  IssueCounts run(std::string_view mechanism, const DivergenceSpec& spec, Foresight foresight = {}) const {
    const DivergenceMechanism& entry = find_divergence_mechanism(mechanism);
    const auto domain = entry.of_core(spec, foresight)();
    return Driver(program, *domain, lanes, seed, entry.one_path ? 1 : spec.max_splits, entry).run();
  }

  FlowProgram program;
  std::vector<ActiveMask> lanes;
  std::uint32_t seed;
  unsigned max_splits;
};

template <typename Property>
void hold(Property&& property) {
  rc::detail::TestParams parameters;
  parameters.seed = 1;
  parameters.maxSuccess = programs();
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
}

class Contract : public ::testing::TestWithParam<std::string> {
 protected:
  void runs_as_the_oracle(Shape shape, ReconvergenceRule rule = ReconvergenceRule::Postdominator) {
    hold([&] {
      const Case random = Case::any(shape, rule);
      random.run(GetParam(), random.max_splits);
    });
  }
};

TEST_P(Contract, threads_run_and_meet_as_they_should_in_structured_programs_with_barriers) {
  runs_as_the_oracle(Shape::Structured);
}

TEST_P(Contract, threads_run_and_meet_as_they_should_with_early_exits_breaks_and_continues) {
  runs_as_the_oracle(Shape::EarlyExits);
}

TEST_P(Contract, threads_run_and_meet_as_they_should_in_unstructured_programs) {
  runs_as_the_oracle(Shape::Unstructured);
}

// Reaching every barrier together with all live threads of the warp is then safe under every mechanism.
TEST_P(Contract, threads_that_exit_before_their_reconvergence_point_are_not_waited_for) {
  // Postdominators of which a mechanism is told once for a kernel take an exit for a way like any other.
  const bool is_told_once = find_divergence_mechanism(GetParam()).changes_paths;
  const auto rule = is_told_once ? ReconvergenceRule::Postdominator : ReconvergenceRule::UnlessTheyExit;
  runs_as_the_oracle(Shape::SplitAtBarriers, rule);
  runs_as_the_oracle(Shape::Unstructured, rule);
}

TEST_P(Contract, a_domain_may_be_launched_again) {
  const DivergenceMechanism& entry = find_divergence_mechanism(GetParam());
  const auto domain = entry.make({});
  const std::vector<std::uint8_t> tape{2, 1, 3, 1, 0, 2, 5, 1, 1, 4, 7};
  const FlowProgram program = make_program(Shape::Structured, ReconvergenceRule::Postdominator, tape);
  const std::vector<ActiveMask> lanes{ActiveMask(0xff), ActiveMask(0x3)};
  const IssueCounts first = Driver(program, *domain, lanes, 7, 0, entry).run();
  EXPECT_EQ(Driver(program, *domain, lanes, 7, 0, entry).run(), first);
}

INSTANTIATE_TEST_SUITE_P(Every, Contract, ::testing::ValuesIn(divergence_mechanism_names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// Where a warp waits at a barrier as a whole such programs deadlock (MULTIPATH section 3.3.3).
TEST(MultiPathMechanisms, let_threads_of_one_warp_wait_at_a_barrier_in_several_splits) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    if (!mechanism.waits_as_a_warp)
      hold([&] {
        const Case random = Case::any(Shape::SplitAtBarriers);
        random.run(mechanism.name, random.max_splits);
      });
}

// Who meets whom is a matter of chance here; so threads execute what they would alone, and none is left behind.
TEST(GatheringMechanisms, run_as_the_oracle_where_threads_wait_for_others_that_they_name) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    if (!mechanism.make({})->gathers()) continue;
    for (Shape shape : {Shape::Structured, Shape::EarlyExits, Shape::Unstructured, Shape::SplitAtBarriers})
      hold([&] {
        const Case random = Case::any(shape);
        const auto domain = mechanism.make({});
        Driver driver(random.program, *domain, random.lanes, random.seed, 1, mechanism);
        driver.let_threads_name_others();
        driver.run();
      });
  }
}

// All IPDOM mechanisms form the same splits, in whatever order they run (MULTIPATH section 6.1: "the same SIMD unit
// utilization because they all reconverge at the IPDOM").
TEST(IpdomMechanisms, issue_the_same_instructions_with_the_same_masks) {
  for (Shape shape : {Shape::Structured, Shape::EarlyExits, Shape::Unstructured})
    hold([&] {
      const Case random = Case::any(shape);
      for (const DivergenceMechanism& mechanism : divergence_mechanisms())
        if (mechanism.meets_at_postdominators && !mechanism.one_path)
          RC_ASSERT(random.run("pdom", 0) == random.run(mechanism.name, random.max_splits));
    });
}

TEST(MultiPathMechanisms, run_as_the_oracle_with_a_small_reconvergence_table) {
  for (Shape shape : {Shape::Structured, Shape::EarlyExits, Shape::Unstructured, Shape::SplitAtBarriers})
    hold([&] {
      const Case random = Case::any(shape);
      for (const char* mechanism : {"multi-path", "multi-path-or"})
        random.run(mechanism, {.reconvergence_entries = 1 + random.seed % 3});
    });
}

// Where an entry is changes nothing but when its lanes go on.
TEST(IpdomMechanisms, form_the_same_splits_with_a_small_reconvergence_table) {
  for (Shape shape : {Shape::Structured, Shape::Unstructured})
    hold([&] {
      const Case random = Case::any(shape);
      RC_ASSERT(random.run("pdom", 0) == random.run("multi-path", {.reconvergence_entries = 1}));
    });
}

// A warp that diverges without waiting is a group of one (compaction of the same threads again gives the same warp).
TEST(Capri, without_predicted_waits_issues_what_pdom_issues) {
  for (Shape shape : {Shape::Structured, Shape::EarlyExits, Shape::Unstructured})
    hold([&] {
      const Case random = Case::any(shape);
      RC_ASSERT(random.run("pdom", 0) == random.run("capri", {.predictor = "never"}));
    });
}

TEST(Capri, runs_as_the_oracle_with_every_predictor) {
  for (const DivergenceSpec& spec : {DivergenceSpec{.predictor = "always"}, DivergenceSpec{.predictor = "oracle"},
                                     DivergenceSpec{.predictor_entries = 2}})
    hold([&] {
      for (Shape shape : {Shape::Structured, Shape::Unstructured}) Case::any(shape).run("capri", spec);
    });
}

// Without foresight CAPRI's oracle is "always"; with the foresight of two rehearsals it does what is left of mistakes.
TEST(Capri, runs_as_the_oracle_with_foresight) {
  const DivergenceSpec spec{.predictor = "oracle"};
  for (Shape shape : {Shape::Structured, Shape::Unstructured})
    hold([&] {
      const Case random = Case::any(shape);
      CompactionProfile first(1), second(1);
      RC_ASSERT(random.run("capri", spec, {nullptr, &first}) == random.run("capri", {.predictor = "always"}));
      first.complete();
      random.run("capri", spec, {&first, &second});
      second.complete();
      second.give_up();
      random.run("capri", spec, {&second});
    });
}

}  // namespace contract_test
}  // namespace warpfork::contract
