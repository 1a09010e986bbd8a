// The visible list of divergence mechanisms: a new one adds one line to registry.cpp, or comes as a plugin (plugin.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/compaction_profile.h"
#include "divergence/divergence_domain.h"
#include "divergence/divergence_spec.h"

namespace warpfork {

/// Makes the domains of one core's blocks, which share what the core has once.
using DomainMaker = std::function<std::unique_ptr<DivergenceDomain>()>;

struct DivergenceMechanism {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  std::string_view paper;    // paper and section
  DomainMaker (*maker)(const DivergenceSpec&, Foresight);
  // What it does, for whoever must know: the core, the contract suite.
  bool predicts = false;                // asks DivergenceSpec::predictor
  bool regroups = false;                // threads of one warp run in the place of another one
  bool sides_take_turns = false;        // block-wide: a side of a branch starts when the other is through
  bool one_path = false;                // one split of a warp may issue at a time
  bool changes_paths = false;           // such a split may change before paths meet, so that each runs at last
  bool waits_at_reconvergence = true;   // nobody goes on from there before all have come or left the kernel
  bool waits_as_a_warp = true;          // at barriers: threads of a warp cannot meet there from different paths
  bool meets_by_postdominators = true;  // there at the latest: nobody goes on from there before all that stay have come
  bool meets_at_postdominators = true;  // there alone: masks are those of a reconvergence stack
  bool masks_depend_on_time = false;    // who meets whom depends on who runs first
  bool reconvergence_table = false;     // it has one, or barriers, or a stack, beside its split table
  bool lane_masks = true;  // of its scoreboard: lanes do not wait for other lanes' registers (MULTIPATH 3.3.2)
  /// Of a machine description, those that only some mechanisms use: its own.
  std::span<const std::string_view> keys = {};

  bool uses(std::string_view key) const;
  DomainMaker of_core(const DivergenceSpec& spec, Foresight foresight = {}) const { return maker(spec, foresight); }
  /// A domain for itself, as if it were a core's only one.
  std::unique_ptr<DivergenceDomain> make(const DivergenceSpec& spec) const { return of_core(spec)(); }
  /// Whether a launch is to be rehearsed, so that the domains have foresight.
  bool rehearses(const DivergenceSpec& spec) const { return predicts && spec.predictor == kOraclePredictor; }
};

/// All mechanisms, in the order in which they are listed to the user: ours, then those of the plugins that the
/// environment's WARPFORK_PLUGINS names. Throws Error if one of these cannot be had.
std::span<const DivergenceMechanism> divergence_mechanisms();

/// Their names, in this order.
std::vector<std::string> divergence_mechanism_names();
/// Of those that `are` so.
std::vector<std::string> divergence_mechanism_names(bool (*are)(const DivergenceMechanism&));

/// Throws Error with the known names if there is none of that name.
const DivergenceMechanism& find_divergence_mechanism(std::string_view name);

}  // namespace warpfork
