// What of a program's launches is to be drawn, and where it is written.
#pragma once

#include <optional>
#include <string>

#include "base/number_range.h"
#include "base/types.h"
#include "report/json.h"

namespace warpfork::trace {

struct Request {
  std::string file;         // events are appended to it; empty = nothing is drawn
  std::string state_file;   // see State
  NumberRange cycles;       // of the time axis
  NumberRange cores;        // numbers from 0
  std::uint64_t bytes = 0;  // that the events may take, 0 = no limit
  Cycle window = 100;       // of the counters, core cycles
};

report::Json to_json(const Request& request);
Request request_from(const report::Json& json);

/// How far a trace has come. It is kept in a file since a program may run several processes with launches, one after
/// the other, and since its process may be another one than that which ends the trace.
struct State {
  Cycle cycles = 0;              // where on the time axis the next launch begins
  std::uint64_t launches = 0;    // with timing, drawn or not
  std::uint64_t bytes = 0;       // of the events
  std::optional<Cycle> full_at;  // on the time axis: nothing was drawn from there on, the file was full
  std::string failure = {};      // why the system took no more of the events; empty = it took all
};

/// A State as it begins if there is no such file.
State read_state(const std::string& file);
/// Throws Error if it cannot be written.
void write_state(const State& state, const std::string& file);

}  // namespace warpfork::trace
