#include "simulation/saved_launch.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "checkpoint/launch_file.h"
#include "config/text_file.h"
#include "ptx/parser.h"
#include "simt/device_memory.h"
#include "simt/loaded_module.h"
#include "simulation/lone_launch.h"

namespace warpfork::simulation {

namespace {

namespace fs = std::filesystem;

std::vector<process::BufferImage> images_of(const checkpoint::SavedLaunch& saved, simt::DeviceMemory& memory) {
  std::vector<process::BufferImage> images;
  for (const auto& [range, label] : saved.allocations) {
    const std::byte* begin = memory.find(range.address, range.bytes);
    images.push_back({fmt::format("{} at {:#x}", label, range.address), {begin, begin + range.bytes}});
  }
  return images;
}

}  // namespace

process::Outcome run_saved_launch(const std::string& file, cuda::LaunchSink& simulation,
                                  std::uint64_t device_memory_bytes, unsigned warp_size, process::GuestOutput output) {
  const checkpoint::LaunchFile opened(config::read_text(file), file);
  const checkpoint::SavedLaunch& saved = opened.launch();
  simt::DeviceMemory memory(device_memory_bytes);
  opened.restore(memory);
  simt::CodeOptions code = simulation.code_options();
  if (saved.stack_bytes != 0) code.stack_bytes = saved.stack_bytes;
  simt::LoadedModule loaded(ptx::parse(opened.ptx(), saved.module, warp_size), saved.places, memory,
                            simt::host_instruction_set(), code);
  for (const checkpoint::MemoryRange& copy : saved.copies) simulation.copied_from_host(copy.address, copy.bytes);

  simt::Launch launch;
  launch.program = &loaded.kernel(saved.kernel);
  launch.memory = &memory;
  launch.grid = saved.grid;
  launch.block = saved.block;
  launch.parameters = saved.parameters;
  launch.dynamic_shared_bytes = saved.dynamic_shared_bytes;
  launch.grid_id = saved.grid_id;
  launch.grid_workspace = saved.grid_workspace;
  if (simulation.residency(*launch.program, launch.threads_per_block(), launch.dynamic_shared_bytes).lacks_registers())
    launch.program = &loaded.kernel(saved.kernel, launch.threads_per_block());
  process::Outcome outcome;
  outcome.program = {{"kind", "ptx"},
                     {"name", fs::path(file).filename().string()},
                     {"expectations", report::Json::array()},
                     {"saved_from", {{"program", saved.program}, {"launch", saved.number}}}};
  if (run_lone_launch(launch, simulation, output, outcome) && output == process::GuestOutput::Captured)
    outcome.buffers = images_of(saved, memory);
  return outcome;
}

SavedLaunchOutput::SavedLaunchOutput(WorkOptions& options) {
  cuda::SaveRequest& request = options.save;
  if (request.launch == 0) return;
  request.program = fs::path(options.program).filename().string();
  output_.emplace(request.file);
  request.file = fs::absolute(output_->path()).string();  // the program may change its folder
}

bool SavedLaunchOutput::keep() {
  if (!output_) return true;
  try {
    const checkpoint::LaunchFile whole(config::read_text(output_->path()), output_->path());
  } catch (const Error&) {
    return false;
  }
  output_->keep();
  return true;
}

}  // namespace warpfork::simulation
