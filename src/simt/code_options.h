// What code is to be like on the machine that it is loaded for.
#pragma once

#include <optional>

#include "analysis/scalar_rule.h"
#include "lower/register_rules.h"

namespace warpfork::simt {

struct CodeOptions {
  /// By which instructions are found that the machine executes once for a warp; nothing: it has no such.
  std::optional<analysis::ScalarRule> scalars;
  lower::RegisterRules registers{};
};

}  // namespace warpfork::simt
