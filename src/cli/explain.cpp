#include <exception>
#include <memory>

#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/watched_warp.h"
#include "process/output_file.h"
#include "simulation/key_use.h"

namespace warpfork::cli {

namespace {

constexpr std::uint64_t kDefaultLimit = 2000;

void add_explain_options(Command& command, WorkOptions& options) {
  explain::Request& request = options.explain;
  request.limit = kDefaultLimit;
  add_warp_options(command, options);
  command.add_option("--from-cycle", request.from_cycle, "begin with this cycle of the launch").value_name("N");
  command.add_option("--cycles", request.cycles, "end after so many cycles, 0 = no limit").value_name("N");
  command.add_option("--limit", request.limit, "end after so many lines, 0 = no limit").value_name("N").shows_default();
  command.add_flag("--every-instruction", request.every_instruction, "a line for each, without folding straight runs");
  command.add_option("--graph", options.graph, "write the control flow that the warp took here, for Graphviz")
      .value_name("FILE");
  add_mechanism_options(command, options.mechanisms);
  add_machine_options(command, options);
}

int explain_warp(WorkOptions& options) {
  simulation::require_key_use(options, {options.mechanisms});
  require_apart({options.graph}, options);
  process::require_writable(options.graph);
  const WatchedWarp warp = watch_warp(options, options.mechanisms);
  process::write_text("-", warp.result.text);
  if (!options.graph.empty()) process::write_text(options.graph, warp.result.graph);
  if (warp.failure) std::rethrow_exception(warp.failure);
  return warp.outcome.status;
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
