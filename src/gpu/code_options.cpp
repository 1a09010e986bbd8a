#include "gpu/code_options.h"

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::gpu {

using analysis::ScalarRule;

simt::CodeOptions code_options(const MachineSpec& spec) {
  const std::string& rule = spec.core.scalarize;
  if (rule == "off") return {};
  if (rule != "divergent" && rule != "convergent-only")
    throw Error("core.scalarize: there is no rule '{}'; known: off, divergent, convergent-only", rule);
  const DivergenceMechanism& mechanism = find_divergence_mechanism(spec.divergence.mechanism);
  if (mechanism.regroups)
    throw Error(
        "core.scalarize = '{}' is not for divergence mechanism '{}': it puts threads of several warps into one, and a "
        "scalar register holds one warp's value\n"
        "  take a mechanism that works within a warp (pdom, dual-path, multi-path, multi-path-or), or "
        "core.scalarize=off",
        rule, mechanism.name);
  const LaneOrganisation& lanes = find_lane_organisation(spec.core.lanes.organisation);
  if (!lanes.scalars)
    throw Error(
        "core.scalarize = '{}' is not for '{}' lanes: they execute every instruction in all lanes\n"
        "  take temporal lanes (tsimt-plus, stsimt4 …) or simt-scalar, which execute some once, or core.scalarize=off",
        rule, lanes.name);
  if (rule == "convergent-only") return {ScalarRule::ConvergentOnly};
  return {mechanism.one_path ? ScalarRule::Divergent : ScalarRule::DivergentAtOnce};
}

}  // namespace warpfork::gpu
