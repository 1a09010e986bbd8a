// The result of a run as one JSON document; docs/result-schema.md explains every key.
#pragma once

#include <span>
#include <string>

#include "report/json.h"
#include "report/launch_record.h"

namespace warpfork::report {

struct Tool {
  std::string version, commit;
};

/// The whole document. `machine` and `program` are in the form that the schema gives them.
Json result_document(const Tool& tool, const Json& machine, const Json& program,
                     std::span<const LaunchRecord> launches);

/// As it is written to a file: indented by two, lists of numbers on one line, a line end at the end.
std::string write_document(const Json& document);

}  // namespace warpfork::report
