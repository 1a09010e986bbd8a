#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "explain/explainer.h"
#include "process/output_file.h"
#include "process/temporary_folder.h"
#include "simulation/work.h"

namespace warpfork::cli {

namespace {

constexpr std::uint64_t kDefaultLimit = 2000;

void add_explain_options(Command& command, WorkOptions& options) {
  explain::Request& request = options.explain;
  request.limit = kDefaultLimit;
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
  command.add_option("--from-cycle", request.from_cycle, "begin with this cycle of the launch").value_name("N");
  command.add_option("--cycles", request.cycles, "end after so many cycles").value_name("N");
  command.add_option("--limit", request.limit, "end after so many lines, 0 = no limit").value_name("N").shows_default();
  command.add_flag("--every-instruction", request.every_instruction, "a line for each, without folding straight runs");
  command.add_option("--graph", options.graph, "write the control flow that the warp took here, for Graphviz")
      .value_name("FILE");
  add_mechanism_options(command, options.mechanisms);
  add_machine_options(command, options);
}

/// Says why there is nothing to tell.
[[noreturn]] void fail(const WorkOptions& options, const explain::Result& result) {
  if (!result.fault.empty()) throw Error("{}", result.fault);
  const explain::Request& request = options.explain;
  if (result.launched.empty()) throw Error("{}: no kernel was launched", options.program);
  if (result.launches != 0)
    throw Error("--launch-number {}: kernel '{}' was launched {} time{}", request.launch_number, request.kernel,
                result.launches, result.launches == 1 ? "" : "s");
  const bool is_known = std::find(result.kernels.begin(), result.kernels.end(), request.kernel) != result.kernels.end();
  if (is_known)
    throw Error("kernel '{}' was never launched\n  launched: {}", request.kernel, fmt::join(result.launched, ", "));
  throw Error("there is no kernel '{}'\n  nearest: {}", request.kernel,
              fmt::join(nearest_names(request.kernel, result.kernels), ", "));
}

int explain_warp(WorkOptions& options) {
  process::require_writable(options.graph);
  const process::TemporaryFolder folder;
  options.explain.result_file = (folder.path() / "explanation.json").string();
  process::Outcome outcome;
  std::exception_ptr failure;  // of the launch: what came before it is told all the same
  try {
    outcome = simulation::do_work(options, options.mechanisms, process::GuestOutput::Captured).outcome;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  for (const std::string& complaint : outcome.complaints) std::cerr << "warpfork: " << complaint << '\n';
  const explain::Result result = explain::read_result(options.explain.result_file);
  if (result.text.empty() && !failure) fail(options, result);
  process::write_text("-", result.text);
  if (!options.graph.empty()) process::write_text(options.graph, result.graph);
  if (failure) std::rethrow_exception(failure);
  return outcome.status;
}

}  // namespace

void add_explain(Command& app, Session& session) {
  Command command = app.add_command("explain", "one warp's life: every issue, divergence and reconvergence");
  command.usage(program_usage("explain"));
  command.footer(
      "The launch is timed as in `run`, later ones are executed without timing. What a program prints on its standard "
      "output is not shown.");
  const auto options = std::make_shared<WorkOptions>();
  add_explain_options(command, *options);
  command.when_named([command, options, &session] {
    take_program(command, session.words, *options, add_explain_options);
    session.status = explain_warp(*options);
  });
}

}  // namespace warpfork::cli
