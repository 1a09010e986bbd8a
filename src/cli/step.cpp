#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/watched_warp.h"
#include "divergence/registry.h"
#include "process/output_file.h"
#include "simulation/key_use.h"
#include "step/page.h"

namespace warpfork::cli {

namespace {

constexpr std::size_t kSideBySide = 2;

void add_step_options(Command& command, WorkOptions& options) {
  explain::Request& request = options.explain;
  options.page = "step.html";
  add_warp_options(command, options);
  command
      .add_option(
          "--cycles", [&request](const std::string& cycles) { explain::set_cycles(request, cycles); },
          fmt::format("the launch's cycles A to B, or {} from A on; default: those from the warp's start on",
                      explain::WarpFrames::kMostCycles))
      .value_name("A-B");
  command
      .add_option("--divergence", options.divergences,
                  "one divergence mechanism, or two side by side; default: the machine's")
      .separated_by_commas()
      .repeatable()
      .value_name("NAME,NAME");
  command.add_option("--lanes", options.mechanisms.lanes, "lane organisation (`warpfork mechanisms`)")
      .value_name("NAME");
  command.add_option("-o,--output", options.page, "the page").value_name("FILE.html").shows_default();
  add_machine_options(command, options);
}

std::vector<MechanismChoice> choices(const WorkOptions& options) {
  if (options.divergences.size() > kSideBySide)
    throw Error("--divergence: a page has room for {} mechanisms, not for {}\n  write a page for each pair",
                kSideBySide, options.divergences.size());
  std::vector<MechanismChoice> all;
  for (const std::string& mechanism : options.divergences)
    all.push_back({std::string(find_divergence_mechanism(mechanism).name), options.mechanisms.lanes});
  if (all.empty()) all.push_back({"", options.mechanisms.lanes});
  return all;
}

/// Whether the warp lived in the cycles that were asked for.
bool has_cycles(const report::Json& frames) {
  return !frames.is_null() && frames.at("started") && frames.at("last") >= frames.at("first");
}

/// It came later or had ended before, or never came.
[[noreturn]] void fail_without_cycles(const report::Json& frames) {
  const std::string mechanism = frames.at("mechanism");
  if (!frames.at("started"))
    throw Error("--warp: under {} its block had not started when the launch was cut off", mechanism);
  if (frames.at("cut"))
    throw Error("--cycles: under {} the warp starts in cycle {}", mechanism, frames.at("first").get<Cycle>());
  throw Error("--cycles: under {} the warp ended in cycle {}", mechanism, frames.at("last").get<Cycle>());
}

std::string warp_text(const explain::Request& request) {
  const Dim3& block = request.block;
  return fmt::format("warp {} of block ({}, {}, {}) in launch {}", request.warp, block.x, block.y, block.z,
                     request.launch_number);
}

int step_warp(WorkOptions& options) {
  simulation::require_key_use(options, choices(options));
  require_apart({options.page}, options);
  process::require_writable(options.page);
  options.explain.keeps_frames = true;
  options.explain.limit = 1;  // the text is not shown
  step::Shown shown{warp_text(options.explain), {}};
  int status = 0;
  std::exception_ptr failure;
  for (const MechanismChoice& choice : choices(options)) {
    const WatchedWarp warp = watch_warp(options, choice);
    if (warp.failure && !failure) failure = warp.failure;
    if (status == 0) status = warp.outcome.status;
    const report::Json& frames = warp.result.frames;
    if (has_cycles(frames))
      shown.runs.push_back(frames);
    else if (!warp.failure)
      fail_without_cycles(frames);
  }
  if (!shown.runs.empty()) {
    process::write_text(options.page, step::page(shown));
    if (options.page != "-") std::cout << "The page: " << options.page << '\n';
  }
  if (failure) std::rethrow_exception(failure);
  return status;
}

}  // namespace

void add_step(Command& app, Session& session) {
  Command command = app.add_command("step", "a page that shows one warp cycle by cycle");
  command.usage(program_usage("step"));
  command.footer(
      "A browser shows the page, one file, without a network: splits, tables, scoreboard and lanes of the warp in each "
      "cycle, of two mechanisms on one clock. docs/step.md tells its keys. What a program prints on its standard "
      "output is not shown.");
  const auto options = std::make_shared<WorkOptions>();
  add_step_options(command, *options);
  command.when_named([command, options, &session] {
    take_program(command, session.words, *options, add_step_options);
    session.status = step_warp(*options);
  });
}

}  // namespace warpfork::cli
