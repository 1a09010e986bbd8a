// Why a point has no result.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "report/json.h"

namespace warpfork::sweep {

/// By what --retry names it.
inline constexpr std::array<std::string_view, 8> kCauses = {"error",  "exit", "cut-off", "signal",
                                                            "memory", "time", "node",    "cancelled"};

struct Failure {
  std::string cause;     // error: warpfork refused or stopped it; exit: the program's exit status or a buffer not as
                         // expected; cut-off: max_cycles; signal: its process died of one; memory: of its want;
                         // of tasks of a cluster: time: it was up; node: the node failed; cancelled
  std::string message;   // for people
  std::string log = {};  // the end of what its processes wrote to standard error

  /// The document of failures/ID.json.
  report::Json document(const report::Json& point) const;
};

Failure read_failure(const report::Json& document);

/// Of a run whose process, or program, died of the signal. A SIGKILL that nobody here sent is the system's, for want of
/// memory.
Failure death_by_signal(int signal, std::string_view who = "its process");

}  // namespace warpfork::sweep
