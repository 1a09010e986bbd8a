#include "gpu/code_options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::gpu {

namespace {

using analysis::ScalarRule;

bool keeps_scalars(const DivergenceMechanism& mechanism) {
  return !mechanism.regroups && mechanism.meets_by_postdominators;
}

void require_scalars_are_kept(const std::string& rule, const DivergenceMechanism& mechanism) {
  if (keeps_scalars(mechanism)) return;
  throw Error(
      "core.scalarize = '{}' is not for divergence mechanism '{}': {}\n"
      "  take one whose warps keep their threads, which meet where a branch's ways do ({}), or core.scalarize=off",
      rule, mechanism.name,
      mechanism.regroups ? "it puts threads of several warps into one, and a scalar register holds one warp's value"
                         : "threads that a branch has parted may go on alone from where its ways meet, and a scalar "
                           "register holds one value there",
      fmt::join(divergence_mechanism_names(keeps_scalars), ", "));
}

std::optional<ScalarRule> scalar_rule(const MachineSpec& spec) {
  const std::string& rule = spec.core.scalarize;
  if (rule == "off") return std::nullopt;
  if (rule != "divergent" && rule != "convergent-only")
    throw Error("core.scalarize: there is no rule '{}'; known: off, divergent, convergent-only", rule);
  const DivergenceMechanism& mechanism = find_divergence_mechanism(spec.divergence.mechanism);
  require_scalars_are_kept(rule, mechanism);
  const LaneOrganisation& lanes = find_lane_organisation(spec.core.lanes.organisation);
  if (!lanes.scalars)
    throw Error(
        "core.scalarize = '{}' is not for '{}' lanes: they execute every instruction in all lanes\n"
        "  take temporal lanes (tsimt-plus, stsimt4 …) or simt-scalar, which execute some once, or core.scalarize=off",
        rule, lanes.name);
  if (rule == "convergent-only") return ScalarRule::ConvergentOnly;
  return mechanism.one_path && !mechanism.changes_paths ? ScalarRule::Divergent : ScalarRule::DivergentAtOnce;
}

bool rows_fill_warps(const CoreSpec& core) {
  const std::string& choice = core.scalarize_rows;
  if (choice != "off" && choice != "filled")
    throw Error("core.scalarize_rows: there is no choice '{}'; known: off, filled", choice);
  if (choice == "filled" && core.scalarize == "off")
    throw Error(
        "core.scalarize_rows = 'filled' says which values are scalar, and core.scalarize is off\n"
        "  set core.scalarize=divergent or convergent-only, too");
  return choice == "filled";
}

lower::RegisterRules register_rules(const CoreSpec& core) {
  const std::string& choice = core.register_allocation;
  if (choice != "off" && choice != "colouring" && choice != "colouring-as-written")
    throw Error("core.register_allocation: there is no choice '{}'; known: off, colouring, colouring-as-written",
                choice);
  lower::RegisterRules rules;
  rules.allocate = choice != "off";
  rules.as_written = choice == "colouring-as-written";
  rules.of_thread = core.registers_per_thread_limit;
  rules.of_core = core.registers;
  rules.lanes = std::max(find_lane_organisation(core.lanes.organisation).lanes(core), 1u);
  rules.threads = core.threads;
  rules.granularity = std::max(core.register_granularity, 1u);
  rules.warp_size = core.warp_size;
  rules.scalars_beside = find_lane_organisation(core.lanes.organisation).temporal;
  return rules;
}

analysis::Leavers leavers(const DivergenceMechanism& mechanism, const DivergenceSpec& spec) {
  if (mechanism.make(spec)->gathers()) return analysis::Leavers::CountGathered;
  if (mechanism.waits_at_reconvergence) return analysis::Leavers::DoNotCount;
  return mechanism.changes_paths ? analysis::Leavers::CountOvertaken : analysis::Leavers::Count;
}

}  // namespace

simt::CodeOptions code_options(const MachineSpec& spec) {
  const DivergenceMechanism& mechanism = find_divergence_mechanism(spec.divergence.mechanism);
  return {.scalars = scalar_rule(spec),
          .rows_fill_warps = rows_fill_warps(spec.core),
          .leavers = leavers(mechanism, spec.divergence.options()),
          .registers = register_rules(spec.core)};
}

}  // namespace warpfork::gpu
