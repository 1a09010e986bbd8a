#include "divergence/registry.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/key_use.h"
#include "base/named.h"
#include "divergence/block_compaction.h"
#include "divergence/convergence_barrier.h"
#include "divergence/dual_path.h"
#include "divergence/multi_path.h"
#include "divergence/multi_path_or.h"
#include "divergence/pdom_stack.h"
#include "divergence/plugin.h"
#include "divergence/thread_frontier.h"
#include "divergence/warp_local.h"
#include "divergence/warp_subdivision.h"

namespace warpfork {

namespace {

template <typename Mechanism>
DomainMaker per_warp(const DivergenceSpec& spec, Foresight) {
  return [spec] { return std::make_unique<WarpLocal<Mechanism>>(spec); };
}

DomainMaker per_block(BranchWait who, CompactionPredictor predictor) {
  const auto shared = std::make_shared<CompactionPredictor>(std::move(predictor));
  return [who, shared] { return std::make_unique<BlockCompaction>(who, shared); };
}

DomainMaker tbc(const DivergenceSpec&, Foresight) {
  return per_block(BranchWait::EveryWarp, CompactionPredictor("always", 0));
}

DomainMaker capri(const DivergenceSpec& spec, Foresight foresight) {
  CompactionPredictor predictor(spec.predictor, spec.predictor_entries, spec.predictor_index_shift);
  if (spec.predictor != kOraclePredictor) return per_block(BranchWait::DivergingWarps, std::move(predictor));
  const auto bound = std::make_shared<CompactionPredictor>(std::move(predictor));
  return [bound, foresight] {
    return std::make_unique<BlockCompaction>(BranchWait::DivergingWarps, bound,
                                             std::make_unique<CompactionOracle>(foresight));
  };
}

constexpr std::array<std::string_view, 2> kTableKeys{"divergence.max_splits", "divergence.reconvergence_entries"};
constexpr std::array<std::string_view, 2> kSubdivisionKeys{"divergence.max_splits", "divergence.subdivide_limit"};
constexpr std::array<std::string_view, 5> kCompactionKeys{"divergence.compaction_cycles", "divergence.lane_permutation",
                                                          "divergence.predictor", "divergence.predictor_entries",
                                                          "divergence.predictor_index_shift"};

constexpr std::array kMechanisms{
    DivergenceMechanism{.name = "pdom",
                        .summary = "one reconvergence stack per warp; only its top may issue",
                        .paper = "MULTIPATH 2.2; Fung et al. 2007",
                        .maker = per_warp<PdomStack>,
                        .one_path = true,
                        .lane_masks = false},
    DivergenceMechanism{.name = "dual-path",
                        .summary = "a stack whose entries hold both sides of a branch: two paths of a warp may issue",
                        .paper = "MULTIPATH 5, 7; Rhu and Erez 2013",
                        .maker = per_warp<DualPath>,
                        .keys = std::span(kTableKeys).first(1)},
    DivergenceMechanism{.name = "warp-subdivision",
                        .summary = "a stack; at some branches the warp splits, and meets again only where these end",
                        .paper = "MULTIPATH 1, 7; Meng et al. 2010",
                        .maker = per_warp<WarpSubdivision>,
                        .waits_as_a_warp = false,
                        .meets_by_postdominators = false,
                        .meets_at_postdominators = false,
                        .reconvergence_table = true,
                        .keys = kSubdivisionKeys},
    DivergenceMechanism{.name = "multi-path",
                        .summary = "split and reconvergence tables: all paths of a warp may issue",
                        .paper = "MULTIPATH 3",
                        .maker = per_warp<MultiPath>,
                        .waits_as_a_warp = false,
                        .reconvergence_table = true,
                        .keys = kTableKeys},
    DivergenceMechanism{.name = "multi-path-or",
                        .summary = "multi-path with opportunistic early reconvergence",
                        .paper = "MULTIPATH 4",
                        .maker = per_warp<MultiPathOr>,
                        .waits_as_a_warp = false,
                        .meets_at_postdominators = false,
                        .masks_depend_on_time = true,
                        .reconvergence_table = true,
                        .keys = kTableKeys},
    DivergenceMechanism{.name = "thread-frontier",
                        .summary = "no stack: the path that is furthest behind runs, and takes along whom it comes to",
                        .paper = "Diamos et al. 2011",
                        .maker = per_warp<ThreadFrontier>,
                        .one_path = true,
                        .changes_paths = true,
                        .waits_at_reconvergence = false,
                        .waits_as_a_warp = false,
                        .meets_at_postdominators = false,
                        .masks_depend_on_time = true,
                        .lane_masks = false},
    DivergenceMechanism{
        .name = "convergence-barrier",
        .summary = "one path at a time; barriers where branches end, which threads that spin do not hold up",
        .paper = "US 10067768; NVIDIA 2017",
        .maker = per_warp<ConvergenceBarrier>,
        .one_path = true,
        .changes_paths = true,
        .waits_as_a_warp = false,
        .reconvergence_table = true,
        .lane_masks = false},
    DivergenceMechanism{.name = "tbc",
                        .summary = "one stack per block: warps wait for each other at branches and are compacted",
                        .paper = "CAPRI II-B; Fung and Aamodt 2011",
                        .maker = tbc,
                        .regroups = true,
                        .sides_take_turns = true,
                        .meets_at_postdominators = false,
                        .masks_depend_on_time = true,
                        .keys = std::span(kCompactionKeys).first(2)},
    DivergenceMechanism{.name = "capri",
                        .summary = "tbc, but warps wait only where they diverge and compaction is predicted to pay",
                        .paper = "CAPRI II-C; Rhu and Erez 2012",
                        .maker = capri,
                        .predicts = true,
                        .regroups = true,
                        .meets_at_postdominators = false,
                        .masks_depend_on_time = true,
                        .keys = kCompactionKeys},
};

/// Ours, and those of plugins.
std::vector<DivergenceMechanism> with_plugins() {
  std::vector<DivergenceMechanism> all(kMechanisms.begin(), kMechanisms.end());
  for (const DivergenceMechanism& mechanism : load_plugins(plugin_files())) {
    for (const DivergenceMechanism& known : all)
      if (known.name == mechanism.name)
        throw Error("WARPFORK_PLUGINS: there already is a divergence mechanism '{}'", mechanism.name);
    all.push_back(mechanism);
  }
  return all;
}

}  // namespace

bool DivergenceMechanism::uses(std::string_view key) const { return uses_key(*this, key, divergence_mechanisms()); }

std::span<const DivergenceMechanism> divergence_mechanisms() {
  static const std::vector<DivergenceMechanism> all = with_plugins();
  return all;
}

std::vector<std::string> divergence_mechanism_names() { return names_of(divergence_mechanisms()); }

std::vector<std::string> divergence_mechanism_names(bool (*are)(const DivergenceMechanism&)) {
  std::vector<std::string> names;
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    if (are(mechanism)) names.emplace_back(mechanism.name);
  return names;
}

const DivergenceMechanism& find_divergence_mechanism(std::string_view name) {
  return find_named(divergence_mechanisms(), name, "divergence mechanism", "mechanisms");
}

}  // namespace warpfork
