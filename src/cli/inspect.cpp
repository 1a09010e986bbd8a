#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/print.h"
#include "analysis/register_use.h"
#include "analysis/scalar_text.h"
#include "base/error.h"
#include "base/text.h"
#include "checkpoint/launch_file.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "config/description.h"
#include "config/text_file.h"
#include "cuda/image/archive_members.h"
#include "cuda/image/file_ptx.h"
#include "gpu/code_options.h"
#include "lower/literal_copies.h"
#include "lower/lower.h"
#include "lower/register_rules.h"
#include "lower/register_text.h"
#include "process/output_file.h"
#include "ptx/parser.h"
#include "report/kernel_name.h"
#include "report/ratio.h"
#include "simt/loaded_module.h"
#include "simulation/executed_scalars.h"
#include "simulation/simulation.h"
#include "x86/recording_file.h"

namespace warpfork::cli {

namespace {

constexpr const char* kMachine = "gtx480";

struct InspectOptions {
  WorkOptions work;  // what the file is, and how it is run with --executed
  std::string kernel;
  std::optional<unsigned> image;
  std::string ptx;  // file, "-" = standard output, empty = the control flow is shown
  bool graphviz = false, scalars = false, executed = false, registers = false;
  std::string machine;  // whose registers; empty = kMachine
};

unsigned declared_registers(const ptx::Function& function) {
  unsigned units = 0;
  for (const ptx::Register& declared : function.registers) units += analysis::register_units(declared.type);
  return units;
}

void print(const ptx::Function& function, bool graphviz) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Postdominators postdominators(graph);
  if (graphviz) {
    fmt::print("{}", analysis::print_graphviz(function, graph, postdominators));
    return;
  }
  fmt::print("{} {}: {}{}, {} of 32 bits at most ({} declared)\n\n{}\n", function.is_entry ? "kernel" : "function",
             function.name, counted(function.body.size(), "instruction"),
             lower::can_run_off_the_end(function) ? " and the return at its end" : "",
             counted(analysis::max_live_registers(function, graph), "live register"), declared_registers(function),
             analysis::print_text(function, graph, postdominators));
}

std::string executed_text(const simulation::ExecutedScalars& executed) {
  const auto row = [&](std::string_view rule, std::uint64_t scalar) {
    return fmt::format("{:<15}  {:>12} of {:<12} {:>5.1f} %\n", rule, scalar, executed.warp_instructions,
                       100 * report::ratio(scalar, executed.warp_instructions));
  };
  return "rule             scalar warp instructions, executed\n" + row("divergent", executed.divergent) +
         row("convergent-only", executed.convergent_only);
}

/// By kernel; nothing if nobody asked what is executed.
using Executed = std::optional<std::map<std::string, simulation::ExecutedScalars>>;

/// As it is loaded for machines that have scalars.
void print_scalars(ptx::Function kernel, const Executed& executed) {
  lower::copy_literals(kernel);
  fmt::print("kernel {}\n\n", kernel.name);
  if (executed) {
    const auto of_kernel = executed->find(kernel.name);
    fmt::print("{}\n", of_kernel == executed->end() ? "not launched\n" : executed_text(of_kernel->second));
  }
  fmt::print("{}\n", analysis::print_scalars(kernel));
}

/// How they are allocated for the machine, whatever it says of allocating them.
simt::CodeOptions code_options(const std::string& machine) {
  gpu::MachineSpec spec;
  config::bind_json(spec, simulation::machine_description(machine), machine);
  simt::CodeOptions code = gpu::code_options(spec);
  code.registers.allocate = true;
  return code;
}

void print_registers(ptx::Function kernel, const simt::CodeOptions& code) {
  if (code.scalars) lower::copy_literals(kernel);
  const auto allocation = lower::place_registers(kernel, code.registers, code.uniformity());
  fmt::print("{}\n", lower::print_registers(kernel, *allocation, code.registers.warp_size));
}

bool is_meant(const ptx::Function& function, const std::string& name) {
  return !function.is_declaration && (name.empty() || report::names_kernel(name, function.name));
}

/// Null where the control flow is shown, which functions have, too.
const char* shown_of_kernels(const InspectOptions& options) {
  return options.registers ? "--registers" : options.scalars ? "--scalar" : nullptr;
}

/// Where nothing would be shown, it is said why.
void require_kernel(const ptx::Module& module, const InspectOptions& options) {
  const char* const shown = shown_of_kernels(options);
  if (shown == nullptr) return;
  for (const ptx::Function& function : module.functions) {
    if (!is_meant(function, options.kernel)) continue;
    if (function.is_entry) return;
    if (!options.kernel.empty())
      throw Error("{} shows kernels alone, with all that they call; {} is a function", shown, options.kernel);
  }
  if (options.kernel.empty()) fmt::print("{}: no kernels, which alone {} shows\n", module.name, shown);
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

/// The file itself if it is PTX text; what a program or a saved launch holds otherwise.
std::vector<cuda::FilePtx> read_ptx(const InspectOptions& options) {
  const std::string& file = options.work.program;
  if (x86::is_recording(file))
    throw Error("{}: is a recording of CPU threads, without PTX\n  its machine code: warpfork cpu dump {}", file, file);
  const std::string text = config::read_text(file);
  if (!text.starts_with("\177ELF") && !cuda::is_archive(std::as_bytes(std::span(text)))) {
    if (options.image) throw Error("--image goes with a program; {} has one text alone", file);
    if (!options.work.is_saved_launch()) return {{file, text}};
    const checkpoint::LaunchFile saved(text, file);
    return {{saved.launch().module, saved.ptx()}};
  }
  std::vector<cuda::FilePtx> images = cuda::ptx_of_file(file);
  if (!options.image) return images;
  if (*options.image >= images.size())
    throw Error("--image {}: {} holds {}, counted from 0", *options.image, file, images.size());
  return {images[*options.image]};
}

void write_ptx(const std::vector<cuda::FilePtx>& images, const std::string& file) {
  if (images.size() == 1) return process::write_text(file, images[0].text);
  std::vector<std::string> names;
  for (const cuda::FilePtx& image : images) names.push_back(image.name);
  throw Error("the program holds PTX of {} source files: {}\n  choose one: --image 0 to --image {}", images.size(),
              fmt::join(names, ", "), images.size() - 1);
}

void require_consistent(const InspectOptions& options) {
  if (!options.ptx.empty())
    for (const auto& [is_given, name] :
         {std::pair(options.graphviz, "--dot"), std::pair(options.scalars, "--scalar"),
          std::pair(options.registers, "--registers"), std::pair(!options.kernel.empty(), "--kernel")})
      if (is_given) throw Error("--ptx prints the whole text as it is: it does not go with {}", name);
  if (options.graphviz && (options.registers || options.scalars))
    throw Error("--dot draws the control flow: it does not go with {}", options.registers ? "--registers" : "--scalar");
  if (!options.machine.empty() && !options.registers)
    throw Error("--machine says whose registers: it goes with --registers");
  if (options.executed && !options.scalars)
    throw Error("--executed says how much of what is executed is scalar: it goes with --scalar");
  if (!options.work.launch.empty() && !options.executed)
    throw Error("--launch says how to run the kernel: it goes with --executed");
  if (options.executed) simulation::require_consistent(options.work);
}

void inspect(const InspectOptions& options) {
  require_consistent(options);
  const std::vector<cuda::FilePtx> images = read_ptx(options);
  if (!options.ptx.empty()) {
    process::require_apart({options.ptx}, {options.work.program});
    return write_ptx(images, options.ptx);
  }
  std::vector<ptx::Module> modules;
  for (const cuda::FilePtx& image : images) modules.push_back(ptx::parse(image.text, image.name));
  require_known(modules, options.kernel);
  std::optional<simt::CodeOptions> code;
  if (options.registers) code = code_options(options.machine.empty() ? kMachine : options.machine);
  Executed executed;
  if (options.executed) executed = simulation::executed_scalars(options.work);
  for (const ptx::Module& module : modules) {
    if (modules.size() > 1 && !options.graphviz) fmt::print("{}\n\n", module.name);
    require_kernel(module, options);
    for (const ptx::Function& function : module.functions) {
      if (!is_meant(function, options.kernel)) continue;
      if (!options.scalars && !options.registers) print(function, options.graphviz);
      if (options.scalars && function.is_entry) print_scalars(simt::flat_code(module, function), executed);
      if (options.registers && function.is_entry) print_registers(simt::flat_code(module, function), *code);
    }
  }
}

void add_inspect_options(Command& command, InspectOptions& options) {
  command.add_option("--kernel", options.kernel, "this function only").value_name("NAME");
  command.add_flag("--dot", options.graphviz, "print a Graphviz graph for each function");
  command.add_flag("--scalar", options.scalars,
                   "what is one for all threads of a warp in each kernel, and why the rest is not");
  command.add_flag("--executed", options.executed,
                   "with --scalar: run FILE without timing, and say how much of what is executed is scalar");
  command.add_option("--launch", options.work.launch, "with --executed: launch of a kernel.ptx")
      .value_name("FILE.toml");
  command.add_flag("--ptx{-}", options.ptx, "print the PTX itself; --ptx=FILE: into this file");
  command.add_flag("--registers", options.registers,
                   "print each kernel's registers: where they lie once they are allocated, and when they are alive");
  command.add_option("--machine", options.machine, "whose registers, with --registers; default: gtx480")
      .value_name("NAME|FILE.toml");
  command.add_option("--image", options.image, "of a program, PTX of this source file only, counted from 0")
      .value_name("N");
  command.ends_at_first_stranger();
}

/// A program that is to be run has all that follows its name; else options may stand there, too.
void take_file(const Command& command, const std::vector<std::string>& words, InspectOptions& options) {
  const ProgramWords given = program_words(command, words, "FILE");
  WorkOptions& work = options.work;
  work.program = given.program;
  work.arguments = given.arguments;
  if (work.arguments.empty() || (options.executed && !work.is_one_launch())) return;
  InspectOptions all;
  all.work.program = work.program;
  const std::vector<std::string> strangers =
      read_again(given.around, [&](Command& again) { add_inspect_options(again, all); });
  if (!strangers.empty())
    throw UsageError(
        fmt::format("{}: only a program that is run, with --executed before its name, has arguments", strangers[0]));
  options = std::move(all);
}

}  // namespace

void add_inspect(Command& app, Session& session) {
  Command command = app.add_command("inspect", "the PTX of a file or a program: control flow, or the text");
  command.usage(
      "Usage: warpfork inspect [OPTIONS] FILE [OPTIONS]\n       warpfork inspect --scalar --executed [OPTIONS] PROGRAM "
      "[ARGS…]\n");
  command.footer(
      "FILE is PTX text, a saved launch, or a program that holds some. Of a program, messages call the PTX of its "
      "first "
      "source file PROGRAM.0.ptx, of the second PROGRAM.1.ptx …;\n"
      "lines are lines of what --ptx prints.");
  const auto options = std::make_shared<InspectOptions>();
  add_inspect_options(command, *options);
  command.when_named([command, options, &session] {
    take_file(command, session.words, *options);
    inspect(*options);
  });
}

}  // namespace warpfork::cli
