// The visible list of divergence mechanisms: a new one adds one line to registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/divergence_domain.h"
#include "divergence/divergence_spec.h"
#include "divergence/meeting_record.h"

namespace warpfork {

/// Makes the domains of one core's blocks, which share what the core has once.
using DomainMaker = std::function<std::unique_ptr<DivergenceDomain>()>;

struct DivergenceMechanism {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  std::string_view paper;    // paper and section
  DomainMaker (*maker)(const DivergenceSpec&, Foresight);
  bool predicts = false;   // asks DivergenceSpec::predictor
  bool regroups = false;   // threads of one warp run in the place of another one
  bool lane_masks = true;  // of its scoreboard: lanes do not wait for other lanes' registers (MULTIPATH 3.3.2)

  DomainMaker of_core(const DivergenceSpec& spec, Foresight foresight = {}) const { return maker(spec, foresight); }
  /// A domain for itself, as if it were a core's only one.
  std::unique_ptr<DivergenceDomain> make(const DivergenceSpec& spec) const { return of_core(spec)(); }
  /// Whether a launch is to be rehearsed, so that the domains have foresight.
  bool rehearses(const DivergenceSpec& spec) const { return predicts && spec.predictor == kOraclePredictor; }
};

/// All mechanisms, in the order in which they are listed to the user.
std::span<const DivergenceMechanism> divergence_mechanisms();

/// Their names, in this order.
std::vector<std::string> divergence_mechanism_names();

/// Throws Error with the known names if there is none of that name.
const DivergenceMechanism& find_divergence_mechanism(std::string_view name);

}  // namespace warpfork
