// The keys of a machine description, as `warpfork machines NAME` and `warpfork cpu machine` list them.
#pragma once

#include <vector>

#include "config/description.h"

namespace warpfork::cli {

/// "core.warps = 48  # warps of a core", a line each.
void print_keys(const std::vector<config::Key>& keys);

}  // namespace warpfork::cli
