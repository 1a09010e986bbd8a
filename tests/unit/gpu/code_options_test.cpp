#include "gpu/code_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "divergence/registry.h"

namespace warpfork::gpu {
namespace code_options_test {

using analysis::ScalarRule;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

MachineSpec machine(const std::string& rule, const std::string& mechanism = "pdom",
                    const std::string& lanes = "tsimt") {
  MachineSpec spec;
  spec.core.scalarize = rule;
  spec.divergence.mechanism = mechanism;
  spec.core.lanes.organisation = lanes;
  return spec;
}

TEST(CodeOptions, ask_for_no_scalars_where_the_key_is_off) {
  EXPECT_EQ(code_options(MachineSpec{}).scalars, std::nullopt);
  EXPECT_EQ(code_options(machine("off", "tbc", "simt")).scalars, std::nullopt);
}

TEST(CodeOptions, count_on_nobody_who_leaves_where_threads_wait_for_each_other_to_go_on) {
  EXPECT_EQ(code_options(machine("divergent", "multi-path")).leavers, analysis::Leavers::DoNotCount);
  EXPECT_EQ(code_options(machine("divergent", "thread-frontier")).leavers, analysis::Leavers::CountOvertaken);
  EXPECT_EQ(code_options(machine("divergent", "convergence-barrier")).leavers, analysis::Leavers::CountGathered);
}

TEST(CodeOptions, ask_more_of_a_scalar_where_sides_of_a_branch_run_at_once) {
  EXPECT_EQ(code_options(machine("divergent")).scalars, ScalarRule::Divergent);
  for (const char* mechanism : {"dual-path", "multi-path", "multi-path-or"})
    EXPECT_EQ(code_options(machine("divergent", mechanism)).scalars, ScalarRule::DivergentAtOnce) << mechanism;
  EXPECT_EQ(code_options(machine("convergent-only", "multi-path")).scalars, ScalarRule::ConvergentOnly);
}

TEST(CodeOptions, are_refused_where_threads_of_several_warps_run_as_one) {
  for (const char* mechanism : {"tbc", "capri"})
    for (const char* rule : {"divergent", "convergent-only"})
      EXPECT_THAT([&] { code_options(machine(rule, mechanism, "simt-scalar")); },
                  ThrowsMessage<Error>(HasSubstr("a scalar register holds one warp's value\n  take one whose warps")));
}

// Under warp-subdivision, and the example of a plugin, with which this runs once more, threads pass postdominators by.
TEST(CodeOptions, are_refused_where_threads_need_not_meet_where_the_ways_of_a_branch_do) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    const MachineSpec spec = machine("convergent-only", std::string(mechanism.name), "simt-scalar");
    if (mechanism.regroups) continue;
    if (mechanism.meets_by_postdominators)
      EXPECT_NO_THROW(code_options(spec)) << mechanism.name;
    else
      EXPECT_THAT([&] { code_options(spec); },
                  ThrowsMessage<Error>(AllOf(HasSubstr("core.scalarize = 'convergent-only' is not for"),
                                             HasSubstr("holds one value there\n  take one"), HasSubstr("(pdom, "))))
          << mechanism.name;
  }
}

TEST(CodeOptions, are_refused_where_lanes_cannot_execute_anything_once) {
  EXPECT_THAT([] { code_options(machine("divergent", "pdom", "simt")); },
              ThrowsMessage<Error>(HasSubstr("'simt' lanes: they execute every instruction in all lanes\n  take")));
  EXPECT_NO_THROW(code_options(machine("divergent", "pdom", "simt-scalar")));
}

TEST(CodeOptions, name_the_rules_that_there_are) {
  EXPECT_THAT([] { code_options(machine("always")); },
              ThrowsMessage<Error>(HasSubstr("no rule 'always'; known: off, divergent, convergent-only")));
}

TEST(CodeOptions, take_rows_for_scalar_where_the_machine_says_so_and_has_scalars) {
  MachineSpec spec = machine("divergent");
  EXPECT_FALSE(code_options(spec).rows_fill_warps);
  spec.core.scalarize_rows = "filled";
  EXPECT_TRUE(code_options(spec).rows_fill_warps);
  spec.core.scalarize = "off";
  EXPECT_THAT([&] { code_options(spec); }, ThrowsMessage<Error>(HasSubstr("core.scalarize is off\n  set")));
  spec.core.scalarize_rows = "always";
  EXPECT_THAT([&] { code_options(spec); }, ThrowsMessage<Error>(HasSubstr("no choice 'always'; known: off, filled")));
}

TEST(CodeOptions, say_how_registers_are_allocated) {
  MachineSpec spec;
  EXPECT_TRUE(code_options(spec).registers.allocate);
  EXPECT_FALSE(code_options(spec).registers.as_written);
  spec.core.register_allocation = "colouring-as-written";
  EXPECT_TRUE(code_options(spec).registers.allocate);
  EXPECT_TRUE(code_options(spec).registers.as_written);
  spec.core.register_allocation = "on";
  EXPECT_THAT([&] { code_options(spec); },
              ThrowsMessage<Error>(HasSubstr("no choice 'on'; known: off, colouring, colouring-as-written")));
}

}  // namespace code_options_test
}  // namespace warpfork::gpu
