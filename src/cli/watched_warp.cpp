#include "cli/watched_warp.h"

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "base/text.h"
#include "process/deferred_signals.h"
#include "process/temporary_folder.h"

namespace warpfork::cli {

namespace {

/// Says why there is nothing to tell.
[[noreturn]] void fail(const WorkOptions& options, const explain::Result& result) {
  if (!result.fault.empty()) throw Error("{}", result.fault);
  const explain::Request& request = options.explain;
  if (result.launched.empty()) throw Error("{}: no kernel was launched", options.program);
  if (result.launches != 0)
    throw Error(
        "--launch-number {}: {} {}", request.launch_number,
        request.kernel.empty() ? "kernels were launched" : fmt::format("kernel '{}' was launched", request.kernel),
        counted(result.launches, "time"));
  const bool is_known = std::find(result.kernels.begin(), result.kernels.end(), request.kernel) != result.kernels.end();
  if (is_known)
    throw Error("kernel '{}' was never launched\n  launched: {}", request.kernel, fmt::join(result.launched, ", "));
  throw Error("there is no kernel '{}'\n  nearest: {}", request.kernel,
              fmt::join(nearest_names(request.kernel, result.kernels), ", "));
}

}  // namespace

void add_warp_options(Command& command, WorkOptions& options) {
  explain::Request& request = options.explain;
  command.add_option("--kernel", request.kernel, "kernel as its author or the PTX names it; default: the first one")
      .value_name("NAME");
  command.add_option("--launch-number", request.launch_number, "which launch of the kernel")
      .value_name("N")
      .positive()
      .shows_default();
  command
      .add_option(
          "--warp", [&request](const std::string& place) { explain::set_place(request, place); },
          "block (x or x,y,z) and warp of the block; default: 0.0")
      .value_name("B.W");
}

WatchedWarp watch_warp(WorkOptions& options, const MechanismChoice& mechanisms) {
  const process::DeferredSignals signals;  // before the folder, which an interrupt must not leave behind
  const process::TemporaryFolder folder;
  options.explain.result_file = (folder.path() / "explanation.json").string();
  WatchedWarp warp;
  try {
    warp.outcome = simulation::do_work(options, mechanisms, process::GuestOutput::Captured).outcome;
  } catch (const Error&) {
    warp.failure = std::current_exception();
  }
  for (const std::string& complaint : warp.outcome.complaints) std::cerr << "warpfork: " << complaint << '\n';
  warp.result = explain::read_result(options.explain.result_file);
  if (warp.result.text.empty() && !warp.failure) fail(options, warp.result);
  return warp;
}

}  // namespace warpfork::cli
