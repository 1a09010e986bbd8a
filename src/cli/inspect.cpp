#include <fmt/format.h>

#include <memory>
#include <optional>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/print.h"
#include "analysis/scalar_text.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "config/description.h"
#include "config/text_file.h"
#include "cuda/image/file_ptx.h"
#include "gpu/code_options.h"
#include "lower/literal_copies.h"
#include "lower/register_rules.h"
#include "lower/register_text.h"
#include "process/output_file.h"
#include "ptx/parser.h"
#include "report/kernel_name.h"
#include "simt/loaded_module.h"
#include "simulation/simulation.h"

namespace warpfork::cli {

namespace {

constexpr const char* kMachine = "gtx480";

struct InspectOptions {
  std::string file, kernel;
  std::optional<unsigned> image;
  std::string ptx;  // file, "-" = standard output, empty = the control flow is shown
  bool graphviz = false, scalars = false, registers = false;
  std::string machine;  // whose registers; empty = kMachine
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

/// As it is loaded for machines that have scalars.
void print_scalars(ptx::Function kernel) {
  lower::copy_literals(kernel);
  fmt::print("kernel {}\n\n{}\n", kernel.name, analysis::print_scalars(kernel));
}

/// As they are allocated for the machine, whatever it says of allocating them.
void print_registers(ptx::Function kernel, const std::string& machine) {
  gpu::MachineSpec spec;
  config::bind_json(spec, simulation::machine_description(machine), machine);
  simt::CodeOptions code = gpu::code_options(spec);
  code.registers.allocate = true;
  if (code.scalars) lower::copy_literals(kernel);
  const auto allocation = lower::place_registers(kernel, code.registers, code.uniformity());
  fmt::print("{}\n", lower::print_registers(kernel, *allocation, code.registers.warp_size));
}

bool is_meant(const ptx::Function& function, const std::string& name) {
  return !function.is_declaration &&
         (name.empty() || name == function.name || name == report::readable_kernel_name(function.name));
}

void require_known(const std::vector<ptx::Module>& modules, const std::string& name) {
  std::vector<std::string> known;
  for (const ptx::Module& module : modules)
    for (const ptx::Function& function : module.functions) {
      if (is_meant(function, name)) return;
      if (!function.is_declaration) known.push_back(function.name);
    }
  if (name.empty()) return;
  throw Error("{}: there is no function '{}'\n  nearest: {}", modules.front().name, name,
              fmt::join(nearest_names(name, known), ", "));
}

/// The file itself if it is PTX text; what a program holds otherwise.
std::vector<cuda::FilePtx> read_ptx(const InspectOptions& options) {
  const std::string text = config::read_text(options.file);
  if (!text.starts_with("\177ELF")) {
    if (options.image) throw Error("--image goes with a program; {} is PTX text itself", options.file);
    return {{options.file, text}};
  }
  std::vector<cuda::FilePtx> images = cuda::ptx_of_file(options.file);
  if (!options.image) return images;
  if (*options.image >= images.size())
    throw Error("--image {}: {} holds {}, counted from 0", *options.image, options.file, images.size());
  return {images[*options.image]};
}

void write_ptx(const std::vector<cuda::FilePtx>& images, const std::string& file) {
  if (images.size() == 1) return process::write_text(file, images[0].text);
  std::vector<std::string> names;
  for (const cuda::FilePtx& image : images) names.push_back(image.name);
  throw Error("the program holds PTX of {} source files: {}\n  choose one: --image 0 to --image {}", images.size(),
              fmt::join(names, ", "), images.size() - 1);
}

void inspect(const InspectOptions& options) {
  const std::vector<cuda::FilePtx> images = read_ptx(options);
  if (!options.ptx.empty()) {
    process::require_apart({options.ptx}, {options.file});
    return write_ptx(images, options.ptx);
  }
  if (options.graphviz && (options.registers || options.scalars))
    throw Error("--dot draws the control flow: it does not go with {}", options.registers ? "--registers" : "--scalar");
  if (!options.machine.empty() && !options.registers)
    throw Error("--machine says whose registers: it goes with --registers");
  std::vector<ptx::Module> modules;
  for (const cuda::FilePtx& image : images) modules.push_back(ptx::parse(image.text, image.name));
  require_known(modules, options.kernel);
  for (const ptx::Module& module : modules) {
    if (modules.size() > 1 && !options.graphviz) fmt::print("{}\n\n", module.name);
    for (const ptx::Function& function : module.functions) {
      if (!is_meant(function, options.kernel)) continue;
      if (!options.scalars && !options.registers) print(function, options.graphviz);
      if (options.scalars && function.is_entry) print_scalars(simt::flat_code(module, function));
      if (options.registers && function.is_entry)
        print_registers(simt::flat_code(module, function), options.machine.empty() ? kMachine : options.machine);
    }
  }
}

}  // namespace

void add_inspect(Command& app, Session&) {
  Command command = app.add_command("inspect", "the PTX of a file or a program: control flow, or the text");
  command.footer(
      "Of a program, messages call the PTX of its first source file PROGRAM.0.ptx, of the second PROGRAM.1.ptx …;\n"
      "lines are lines of what --ptx prints.");
  const auto options = std::make_shared<InspectOptions>();
  command.add_option("FILE", options->file, "PTX text, or a program that holds some")
      .required()
      .help_name("kernel.ptx|PROGRAM");
  command.add_option("--kernel", options->kernel, "this function only").value_name("NAME");
  command.add_flag("--dot", options->graphviz, "print a Graphviz graph for each function");
  command.add_flag("--scalar", options->scalars,
                   "what is one for all threads of a warp in each kernel, and why the rest is not");
  command.add_flag("--ptx{-}", options->ptx, "print the PTX itself; --ptx=FILE: into this file");
  command.add_flag("--registers", options->registers,
                   "print each kernel's registers: where they lie once they are allocated, and when they are alive");
  command.add_option("--machine", options->machine, "whose registers, with --registers; default: gtx480")
      .value_name("NAME|FILE.toml");
  command.add_option("--image", options->image, "of a program, PTX of this source file only, counted from 0")
      .value_name("N");
  command.when_named([options] { inspect(*options); });
}

}  // namespace warpfork::cli
