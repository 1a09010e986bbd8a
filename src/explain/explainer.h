// Finds the launch that a request means among those of a program, and leaves what is told of its warp in a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explain/request.h"
#include "explain/warp_watch.h"
#include "gpu/machine_spec.h"
#include "report/result_document.h"

namespace warpfork::explain {

/// What an Explainer leaves. It is written into a file since the program's process may be another one and the launch
/// may fail.
struct Result {
  std::string text, graph;            // empty as long as the launch has not come
  report::Json frames;                // likewise; null if they were not wanted
  std::string fault;                  // why the launch that was meant could not be explained
  std::uint64_t launches = 0;         // of the kernel
  std::vector<std::string> kernels;   // of the modules from which something was launched
  std::vector<std::string> launched;  // those that were
};

/// Empty if there is no such file.
Result read_result(const std::string& file);

class Explainer {
 public:
  /// Goes on with what another process of the program has left.
  explicit Explainer(const Request& request);

  /// Null if nobody wants to hear of this launch. If there is a listener, end() must follow the launch, failed or not.
  report::LaunchListener* begin(const simt::Launch& launch, const gpu::MachineSpec& machine);
  void end();
  /// Whether no further launch matters.
  bool is_done() const { return !result_.text.empty() || !result_.fault.empty(); }

 private:
  bool is_meant(const std::string& kernel) const;
  void note_names(const simt::Launch& launch);
  void watch(const simt::Launch& launch, const gpu::MachineSpec& machine);
  void save() const;

  const Request request_;
  Result result_;
  report::Json facts_;  // of the launch that is watched
  std::unique_ptr<WarpWatch> watch_;
};

}  // namespace warpfork::explain
