// Which keys of a machine make a difference to which mechanisms and lanes: their registries against what they do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "config/description.h"
#include "divergence/compaction_predictor.h"
#include "divergence/registry.h"
#include "gpu/code_options.h"
#include "gpu/lane_organisation.h"
#include "gpu/warp_scheduler.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "random_kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace key_use_test {

/// Other values than those that base() has.
const std::map<std::string, std::string> kOthers{
    {"divergence.max_splits", "1"},
    {"divergence.reconvergence_entries", "1"},
    {"divergence.subdivide_limit", "1"},
    {"divergence.compaction_cycles", "40"},
    {"divergence.lane_permutation", "mirror-odd"},
    {"divergence.predictor", "never"},
    {"divergence.predictor_entries", "0"},
    {"divergence.predictor_index_shift", "4"},
    {"core.scalar_registers", "64"},
    {"core.two_level_active", "1"},
    {"core.lanes.alus", "16"},
    {"core.lanes.width", "8"},
    {"core.lanes.banks", "1"},
    {"core.lanes.collector_groups", "1"},
    {"core.collector.banks", "1"},
    {"core.collector.sp_units", "1"},
    {"core.collector.sfu_units", "1"},
    {"core.collector.memory_units", "1"},
    {"core.collector.sp_ports", "1"},
    {"core.collector.sfu_ports", "1"},
    {"core.collector.memory_ports", "1"},
    {"core.execution.result_buses", "1"},
    {"core.execution.sp_issue_slots", "1"},
    {"core.execution.sfu_issue_slots", "1"},
};

/// So small a table of the predictor that its size and index matter.
MachineSpec base() {
  MachineSpec spec = one_core();
  spec.divergence.predictor_entries = 2;
  return spec;
}

/// Whatever can be told of runs of kernels whose threads part in many ways.
std::string told(const MachineSpec& spec) {
  std::string text;
  for (unsigned seed = 1; seed <= 8; ++seed)
    text += to_json(Kernel(RandomKernel(seed).body(), {4, 1, 1}, {96, 1, 1}, 4096, "", code_options(spec)).run(spec))
                .dump();
  return text;
}

/// Compares what is told, with the key's other value and without it, with what the registry has of its use.
template <class One>
void expect_use(const One& one, const MachineSpec& spec, std::string_view group, std::string_view choice,
                std::string (*tell)(const MachineSpec&) = told) {
  const std::string expected = tell(spec);
  for (const config::Key& key : config::keys(spec)) {
    if (!key.path.starts_with(group) || key.path == choice) continue;
    MachineSpec other = spec;
    config::apply_override(other, key.path + "=" + kOthers.at(key.path));
    const bool is_of_energy = key.path == "core.lanes.alus" || key.path == "core.lanes.banks";  // all pay for them
    EXPECT_EQ(one.uses(key.path), is_of_energy || tell(other) != expected) << one.name << ' ' << key.path;
  }
}

TEST(KeyUse, of_a_divergence_mechanism_is_what_its_registry_says) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    MachineSpec spec = base();
    spec.divergence.mechanism = mechanism.name;
    expect_use(mechanism, spec, "divergence.", "divergence.mechanism");
  }
}

TEST(KeyUse, of_a_lane_organisation_is_what_its_registry_says) {
  for (const LaneOrganisation& lanes : lane_organisations()) {
    MachineSpec spec = base();
    spec.core.lanes.organisation = lanes.name;
    expect_use(lanes, spec, "core.lanes.", "core.lanes.organisation");
  }
}

/// Of a kernel that asks much of each way to the units.
std::string told_of_units(const MachineSpec& spec) {
  const std::string body = repeated(12, "mad.lo.u32 %r2, %r3, %r4, %r5;") + repeated(12, "sin.approx.f32 %r6, %r7;") +
                           repeated(12, "st.shared.v4.u32 [shared], {%r8, %r9, %r10, %r11};") + "ret;";
  return to_json(Kernel(body, {4, 1, 1}, {256, 1, 1}, 4096, ".shared .align 16 .b32 shared[64];", code_options(spec))
                     .run(spec))
      .dump();
}

// Temporal lanes have collectors and stage registers of their own, and none for results.
TEST(KeyUse, of_collectors_and_buses_is_of_lanes_side_by_side) {
  for (const LaneOrganisation& lanes : lane_organisations()) {
    MachineSpec spec = base();
    spec.core.lanes.organisation = lanes.name;
    spec.core.collector = {.banks = 8, .sp_ports = 2, .sfu_ports = 2, .memory_ports = 2};
    ExecutionSpec& execution = spec.core.execution;
    execution.sp_issue_slots = execution.sfu_issue_slots = execution.memory_issue_slots = execution.result_buses = 4;
    execution.Special = {"sfu", 4, 1};
    execution.sfu_units = 4;
    expect_use(lanes, spec, "core.collector.", "", told_of_units);
    for (const char* key : {"result_buses", "sp_issue_slots", "sfu_issue_slots"})
      expect_use(lanes, spec, fmt::format("core.execution.{}", key), "", told_of_units);
  }
}

TEST(KeyUse, of_the_scalar_file_is_of_lanes_that_have_one) {
  for (const LaneOrganisation& lanes : lane_organisations()) {
    MachineSpec spec = base();
    spec.core.lanes.organisation = lanes.name;
    spec.core.scalarize = lanes.scalars ? "divergent" : "off";
    expect_use(lanes, spec, "core.scalar_registers", "");
  }
}

TEST(KeyUse, of_a_warp_scheduler_is_what_its_table_says) {
  for (const WarpSchedulerPolicy& policy : warp_scheduler_policies()) {
    MachineSpec spec = base();
    spec.core.scheduler = policy.name;
    expect_use(policy, spec, "core.two_level_active", "");
  }
}

TEST(KeyUse, of_a_predictor_is_what_its_table_says) {
  for (const PredictorPolicy& policy : predictor_policies()) {
    MachineSpec spec = base();
    spec.divergence.mechanism = "capri";
    spec.divergence.predictor = policy.name;
    expect_use(policy, spec, "divergence.predictor_", "");
  }
}

TEST(KeyUse, of_no_key_is_denied_by_all) {
  for (const auto& [key, value] : kOthers) {
    const auto uses = [&key = key](const auto& one) { return one.uses(key); };  // clang captures no structured binding
    EXPECT_TRUE(std::ranges::any_of(divergence_mechanisms(), uses)) << key;
    EXPECT_TRUE(std::ranges::any_of(lane_organisations(), uses)) << key;
    EXPECT_TRUE(std::ranges::any_of(warp_scheduler_policies(), uses)) << key;
    EXPECT_TRUE(std::ranges::any_of(predictor_policies(), uses)) << key;
  }
}

}  // namespace key_use_test
}  // namespace warpfork::gpu
