// The launches of some of a program's kernels.
#pragma once

#include <string>
#include <string_view>

#include "report/result_document.h"

namespace warpfork::simulation {

/// Those of `launches` (docs/result-schema.md) whose kernels the regular expression matches; empty = all. Throws Error
/// if it matches none, so that a name that was mistyped does not pass for kernels in which nothing took time; `option`
/// is what the message calls the expression.
report::Json launches_of_kernels(const report::Json& launches, const std::string& kernels, std::string_view option);

}  // namespace warpfork::simulation
