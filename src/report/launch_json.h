// Launches as JSON.
#pragma once

#include "report/json.h"
#include "report/launch_record.h"
#include "report/launch_totals.h"

namespace warpfork::report {

/// An element of a result's `launches` (docs/result-schema.md).
Json to_json(const LaunchRecord& launch);
/// A result's `totals`.
Json to_json(const LaunchTotals& totals);

/// All of the record, for launch_from().
Json state_of(const LaunchRecord& launch);
/// Throws Json::exception if it is anything else than state_of() a record.
LaunchRecord launch_from(const Json& state);

}  // namespace warpfork::report
