#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/print.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "config/toml_text.h"
#include "ptx/parser.h"

namespace warpfork::cli {

namespace {

struct InspectOptions {
  std::string file, kernel;
  bool graphviz = false;
};

void print(const ptx::Function& function, bool graphviz) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Postdominators postdominators(graph);
  if (graphviz) {
    fmt::print("{}", analysis::print_graphviz(function, graph, postdominators));
    return;
  }
  fmt::print("{} {}: {} instructions, {} live registers at most ({} declared)\n\n{}\n",
             function.is_entry ? "kernel" : "function", function.name, function.body.size(),
             analysis::max_live_registers(function, graph), function.registers.size(),
             analysis::print_text(function, graph, postdominators));
}

void require_known(const ptx::Module& module, const std::string& name) {
  if (name.empty()) return;
  std::vector<std::string> known;
  for (const ptx::Function& function : module.functions) {
    if (function.name == name && !function.is_declaration) return;
    if (!function.is_declaration) known.push_back(function.name);
  }
  throw Error("{}: there is no function '{}'\n  nearest: {}", module.name, name,
              fmt::join(nearest_names(name, known), ", "));
}

void inspect(const InspectOptions& options) {
  const ptx::Module module = ptx::parse(config::read_text(options.file), options.file);
  require_known(module, options.kernel);
  for (const ptx::Function& function : module.functions)
    if (!function.is_declaration && (options.kernel.empty() || options.kernel == function.name))
      print(function, options.graphviz);
}

}  // namespace

void add_inspect(CLI::App& app, Session&) {
  CLI::App* command = app.add_subcommand("inspect", "control flow of a PTX file: blocks, postdominators, branches");
  const auto options = std::make_shared<InspectOptions>();
  command->add_option("FILE", options->file, "PTX text")->required()->option_text("kernel.ptx");
  command->add_option("--kernel", options->kernel, "this function only")->type_name("NAME");
  command->add_flag("--dot", options->graphviz, "print a Graphviz graph for each function");
  command->callback([options] { inspect(*options); });
}

}  // namespace warpfork::cli
