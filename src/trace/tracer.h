// Draws the launches of a program on one timeline, each behind the one before.
#pragma once

#include <optional>
#include <string>

#include "trace/event_writer.h"
#include "trace/launch_trace.h"
#include "trace/request.h"

namespace warpfork::trace {

class Tracer {
 public:
  /// Goes on with what another process of the program has drawn. Throws Error if the file cannot be written.
  explicit Tracer(const Request& request);

  /// A timed launch begins: its listener. end() must follow the launch, failed or not. The launch and the machine must
  /// last until then.
  report::LaunchListener* begin(const simt::Launch& launch, const gpu::MachineSpec& machine);
  /// It has ended after so many cycles; `fault`: why it was cut off, if it was. That not all could be written stands in
  /// the state: the program is not to fail for it. Throws Error if that cannot be written.
  void end(Cycle cycles, const std::string& fault);
  /// It has failed, and why; or end() has.
  void fail(const std::string& why);

 private:
  const Request request_;
  State state_;
  EventWriter writer_;
  std::optional<LaunchTrace> launch_;
};

}  // namespace warpfork::trace
