// What code is to be like on the machine that it is loaded for.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/uniformity.h"
#include "lower/lower.h"
#include "lower/register_rules.h"

namespace warpfork::simt {

struct CodeOptions {
  /// By which instructions are found that the machine executes once for a warp; nothing: it has no such.
  std::optional<analysis::ScalarRule> scalars;
  /// Whether %tid.y and %tid.z may be taken for one for a warp: the code is for blocks whose rows fill warps.
  bool rows_fill_warps = false;
  /// Where the machine's threads meet: as in analysis::UniformityOptions.
  analysis::Leavers leavers = analysis::Leavers::DoNotCount;
  lower::RegisterRules registers{};
  /// Of each thread of a kernel that calls recursive functions, in local memory.
  std::uint32_t stack_bytes = lower::kStackBytes;

  std::optional<analysis::UniformityOptions> uniformity() const {
    if (!scalars) return std::nullopt;
    return analysis::UniformityOptions{*scalars, rows_fill_warps, leavers};
  }
};

}  // namespace warpfork::simt
