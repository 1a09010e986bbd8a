// The columns of what a source line cost.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/json.h"

namespace warpfork::results {

struct LineColumn {
  std::string name;                  // the key; within an object both, as stalled_memory
  report::Json::json_pointer place;  // in an entry of `lines.instructions` (docs/result-schema.md)
};

/// Every count of report::LineCount, in its order.
std::vector<LineColumn> line_columns();

}  // namespace warpfork::results
