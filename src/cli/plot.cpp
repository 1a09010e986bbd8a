#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "html_report/result_files.h"
#include "plot/gnuplot.h"
#include "plot/kinds.h"
#include "process/output_file.h"

namespace warpfork::cli {

namespace {

struct PlotOptions {
  std::vector<std::string> results;
  std::string output = "plot.svg", kind = "speedup", baseline, quantity;
  plot::Choice choice;
  unsigned width = 84, height = 0;  // mm
};

constexpr unsigned kLeast = 20, kMost = 1000;  // mm

unsigned checked(const char* option, unsigned size) {
  if (size < kLeast || size > kMost) throw Error("{} {}: {} to {} mm are drawn", option, size, kLeast, kMost);
  return size;
}

/// Of a kind of picture that has no such axis they would say nothing.
void require_options_of(const PlotOptions& options) {
  const bool is_sweep = options.kind == "sweep";
  if (!is_sweep && !options.choice.x.empty())
    throw Error("--x {}: goes with --kind sweep, not with {}", options.choice.x, options.kind);
  if (!is_sweep && options.kind != "interval" && !options.quantity.empty())
    throw Error("--quantity {}: goes with --kind interval and sweep, not with {}", options.quantity, options.kind);
}

/// What comes first is what others are compared with.
void put_first(std::vector<html_report::Run>& runs, const std::string& baseline) {
  const auto rest = std::stable_partition(runs.begin(), runs.end(), [&](const html_report::Run& run) {
    return std::ranges::any_of(run.settings, [&](const auto& setting) { return setting.value == baseline; });
  });
  if (rest == runs.begin()) throw Error("--baseline {}: no run has such a mechanism, lanes, core or value", baseline);
}

plot::Picture picture_of(const std::vector<std::filesystem::path>& files, const plot::Kind& kind,
                         const plot::Choice& choice, const std::string& baseline) {
  return html_report::make_of_results(files, [&](html_report::Results results) {
    std::vector<html_report::Run> runs = html_report::runs_of(std::move(results));
    if (!baseline.empty()) put_first(runs, baseline);
    return kind.draw(runs, choice);
  });
}

void draw(const PlotOptions& options, const std::string& made_by) {
  const plot::Kind& kind = plot::find_kind(options.kind);
  require_options_of(options);
  plot::Choice choice = options.choice;
  if (!options.quantity.empty()) choice.quantity = options.quantity;
  choice.width = checked("--width", options.width);
  const plot::PictureFiles files(options.output);
  process::require_apart({files.picture(), files.data(), files.script()}, options.results);
  const std::vector<std::filesystem::path> inputs(options.results.begin(), options.results.end());
  const plot::Picture picture = picture_of(inputs, kind, choice, options.baseline);
  const double height =
      options.height == 0 ? choice.width * 5 / 8 + picture.more_height : checked("--height", options.height);
  files.write(picture, {choice.width, height}, made_by);
  files.draw();
  std::cout << fmt::format("{}, from {} and {}\n", files.picture().string(), files.data().string(),
                           files.script().string());
}

std::string kinds_text() {
  std::string text;
  for (const plot::Kind& kind : plot::kinds()) text += fmt::format("  {:<9} {}\n", kind.name, kind.summary);
  return text;
}

}  // namespace

void add_plot(Command& app, Session& session) {
  Command command = app.add_command("plot", "results as a picture for a paper, SVG or PDF, by gnuplot");
  command.footer("Kinds of pictures:\n" + kinds_text() +
                 "RESULTS are those of `report`. FILE.dat has the numbers, FILE.gp is gnuplot's script: edit them and "
                 "draw again (docs/plot.md).");
  const auto options = std::make_shared<PlotOptions>();
  command.add_option("RESULTS", options->results, "files of results, or folders of a sweep's")
      .required()
      .help_name("RESULTS…");
  command.add_option("-o,--output", options->output, "the picture").value_name("FILE.svg|FILE.pdf").shows_default();
  command.add_option("--kind", options->kind, "what is drawn, see below").value_name("KIND").shows_default();
  command
      .add_option(
          "--baseline", options->baseline,
          "what comes first, and speed-ups are over: a mechanism, lanes or a core; default: of the first result")
      .value_name("NAME");
  command
      .add_option("--quantity", options->quantity,
                  fmt::format("of `interval` and `sweep`: what is drawn; default: {}", options->choice.quantity))
      .value_name("NAME");
  command.add_option("--x", options->choice.x, "of `sweep`: the setting on the axis; default: the first with numbers")
      .value_name("NAME");
  command.add_option("--width", options->width, "84: a column of a paper with two; 174: both")
      .value_name("MM")
      .shows_default();
  command.add_option("--height", options->height, "default: five eighths of the width").value_name("MM");
  command.when_named(
      [options, &session] { draw(*options, fmt::format("warpfork plot {}", fmt::join(session.words, " "))); });
}

}  // namespace warpfork::cli
