// The values of one axis of a sweep.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "config/table_reader.h"

namespace warpfork::config {

/// Those of the keys `values`, or `from`, `to` (included) and `step` or `factor`. Throws Error with the place if they
/// are not one of the two, none or too many.
std::vector<nlohmann::ordered_json> sweep_values(const TableReader& axis);

}  // namespace warpfork::config
