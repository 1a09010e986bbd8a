// Cycles of a kernel in PTX under every divergence mechanism: run_kernel KERNEL.ptx LAUNCH.toml
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "divergence/registry.h"
#include "simulation/work.h"

int main(int argc, char** argv) try {
  using namespace warpfork;
  if (argc != 3) return std::puts("usage: run_kernel KERNEL.ptx LAUNCH.toml"), 2;
  simulation::WorkOptions options;
  options.program = argv[1];
  options.launch = argv[2];
  options.machine = "gtx480";
  for (const std::string& mechanism : divergence_mechanism_names()) {
    const simulation::Work work = simulation::do_work(options, {mechanism, ""}, process::GuestOutput::Captured);
    std::printf("%s %llu\n", mechanism.c_str(), work.document()["totals"]["cycles"].get<unsigned long long>());
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_kernel: %s\n", error.what());
  return 1;
}
