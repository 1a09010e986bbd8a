// The visible list of rename strategies: a new one adds one line to registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ooo/rename/rename_strategy.h"

namespace warpfork::ooo {

struct RenameStrategyEntry {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  std::string_view paper;    // section of SIMT-X
  std::unique_ptr<RenameStrategy> (*make)(Pirat table);
};

/// All strategies, in the order in which they are listed to the user.
std::span<const RenameStrategyEntry> rename_strategies();

/// Throws Error with the known names if there is none of that name.
const RenameStrategyEntry& find_rename_strategy(std::string_view name);

}  // namespace warpfork::ooo
