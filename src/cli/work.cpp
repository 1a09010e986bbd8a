#include "cli/work.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/error.h"
#include "cli/bare_kernel.h"
#include "cli/guest_program.h"
#include "cli/install_paths.h"
#include "cli/simulation.h"
#include "cli/version.h"

namespace warpfork::cli {

namespace {

Outcome run(const WorkOptions& options, const report::Json& simulation, bool capture_output) {
  if (!options.is_bare_kernel())
    return run_guest_program({options.program, options.arguments, library_folder(), device_description(simulation),
                              simulation, capture_output});
  const auto simulated = make_simulation(simulation);
  return run_bare_kernel(options.program, options.launch, *simulated,
                         device_description(simulation).global_memory_bytes);
}

}  // namespace

Work do_work(const WorkOptions& options, const std::string& divergence, bool capture_output) {
  const report::Json simulation = simulation_request(options, divergence);
  const auto start = std::chrono::steady_clock::now();
  Work work;
  work.outcome = run(options, simulation, capture_output);
  work.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work.document =
      report::result_document(tool(), simulation.at("machine"), work.outcome.program, work.outcome.launches);
  return work;
}

void write_text(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::cout << text;  // main() sees whether it could be written
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw Error("{}: cannot be written: {}", file, std::strerror(errno));
}

}  // namespace warpfork::cli
