#include "simulation/simulation.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "config/key_place.h"
#include "cuda/gpu_sink.h"
#include "gpu/device.h"
#include "gpu/machine_spec.h"
#include "gpu/sampled_run.h"
#include "process/deferred_signals.h"
#include "process/install_paths.h"
#include "simulation/run_energy.h"

namespace warpfork::simulation {

namespace {

constexpr std::string_view kFileEnd = ".toml";
constexpr std::uint64_t kLineBytes = 128;  // of the L2

std::filesystem::path machine_file(const std::string& machine) {
  if (machine.ends_with(kFileEnd)) return machine;
  const std::vector<std::string> known = machine_names();
  if (std::find(known.begin(), known.end(), machine) == known.end())
    throw Error("there is no machine '{}'\n  machines: {}; or give a file that ends in .toml", machine,
                fmt::join(known, ", "));
  return process::share_folder() / "machines" / (machine + std::string(kFileEnd));
}

gpu::MachineSpec read_machine(const std::string& machine) {
  gpu::MachineSpec spec;
  config::bind(spec, machine_file(machine));
  return spec;
}

gpu::MachineSpec described(const WorkOptions& options, const MechanismChoice& mechanisms) {
  gpu::MachineSpec spec = read_machine(options.machine);
  for (const std::string& assignment : options.overrides) config::apply_override(spec, assignment);
  if (!options.scheduler.empty()) spec.core.scheduler = options.scheduler;
  if (!options.scalarize.empty()) spec.core.scalarize = options.scalarize;
  if (!mechanisms.divergence.empty()) spec.divergence.mechanism = mechanisms.divergence;
  if (!mechanisms.lanes.empty()) spec.core.lanes.organisation = mechanisms.lanes;
  return spec;
}

/// What makes no machine, whatever is asked of it; before any program is started.
void require_possible(const gpu::MachineSpec& spec) {
  require_price_list(spec.energy.prices);
  const gpu::Device possible(spec);
}

/// Where a message speaks of a key first, by its name or by its value in quotes.
std::size_t mention_of(const config::Key& key, std::string_view message) {
  const bool is_name = key.value.starts_with('"') && key.value.size() > 2;
  if (is_name)
    if (const std::size_t at = message.find(fmt::format("'{}'", key.value.substr(1, key.value.size() - 2)));
        at != std::string_view::npos)
      return at;
  const std::size_t at = message.find(key.path);
  const std::size_t end = at == std::string_view::npos ? at : at + key.path.size();
  const bool is_longer =
      end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) != 0 || message[end] == '_');
  return is_longer ? std::string_view::npos : at;  // core.scheduler is not core.schedulers
}

/// Where the machine's file says what the message is about, "FILE:LINE:COLUMN: error: ". Without the place if it says
/// nothing of it; empty if the file by itself is in order, so that options are to blame.
std::string place_in_file(const std::string& machine, std::string_view message) {
  const gpu::MachineSpec spec = read_machine(machine);
  try {
    require_possible(spec);
    return "";
  } catch (const Error&) {  // what it says is said already
  }
  const std::filesystem::path file = machine_file(machine);
  std::string place = file.string() + ": error: ";
  std::size_t first = std::string_view::npos;
  for (const config::Key& key : config::keys(spec))
    if (const std::size_t at = mention_of(key, message); at < first)
      if (const auto found = config::place_of_key(file, key.path)) {
        place = *found;
        first = at;
      }
  return place;
}

void require_possible(const gpu::MachineSpec& spec, const std::string& machine) {
  constexpr std::string_view kWord = "error: ";
  try {
    require_possible(spec);
  } catch (const Error& error) {
    const std::string place = place_in_file(machine, error.what());
    if (place.empty()) throw;
    std::string_view message = error.what();
    if (message.starts_with(kWord)) message.remove_prefix(kWord.size());
    throw Error("{}{}", place, message);
  }
}

KeyUsers key_users_of(const gpu::MachineSpec& spec) {
  return {.divergence = spec.divergence.mechanism,
          .lanes = spec.core.lanes.organisation,
          .scheduler = spec.core.scheduler,
          .predictor = spec.divergence.predictor,
          .predictor_has_table = spec.divergence.predictor_entries != 0,
          .scalarizes = spec.core.scalarize != "off",
          .sets_registers = spec.core.registers_per_thread != 0};
}

/// What would say nothing on this machine, or cannot be done on it.
void require_use(const WorkOptions& options, const gpu::MachineSpec& spec) {
  gpu::require_sample_is_possible(spec, options.sample);
  if (options.check_scalars && spec.core.scalarize == "off")
    throw Error(
        "--check-scalar: core.scalarize is off, so that nothing is executed once for a warp\n"
        "  give --scalarize divergent or convergent-only, too");
  if (options.trace.cores.first >= spec.cores)
    throw Error("--trace-cores: begins with core {}, and {} has cores 0 to {}", options.trace.cores.first,
                options.machine, spec.cores - 1);
}

}  // namespace

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(process::share_folder() / "machines"))
    if (entry.path().extension() == kFileEnd) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

report::Json machine_description(const std::string& machine) { return config::to_json(read_machine(machine)); }

std::vector<config::Key> machine_keys(const std::string& machine) { return config::keys(read_machine(machine)); }

KeyUsers key_users(const WorkOptions& options, const MechanismChoice& chosen) {
  return key_users_of(described(options, chosen));
}

KeyUsers key_users(const report::Json& machine) {
  gpu::MachineSpec spec;
  config::bind_json(spec, machine, "the machine of the request");
  return key_users_of(spec);
}

report::Json simulation_request(const WorkOptions& options, const MechanismChoice& mechanisms) {
  const gpu::MachineSpec spec = described(options, mechanisms);
  require_possible(spec, options.machine);
  require_use(options, spec);
  return {{"machine", config::to_json(spec)},
          {"sample", {options.sample.share, options.sample.seed}},
          {"threads", options.threads},
          {"functional_only", options.functional_only},
          {"kernels", options.kernels},
          {"launches", options.launches},
          {"max_cycles", options.max_cycles},
          {"max_instructions", options.max_instructions},
          {"lines", options.lines},
          {"interval", options.interval},
          {"check_races", options.check_races},
          {"check_memory", options.check_memory},
          {"energy", options.energy},
          {"check_scalars", options.check_scalars},
          {"explain", explain::to_json(options.explain)},
          {"save", cuda::to_json(options.save)},
          {"trace", trace::to_json(options.trace)}};
}

cuda::DeviceDescription device_description(const report::Json& simulation) {
  gpu::MachineSpec spec;
  config::bind_json(spec, simulation.at("machine"), "the machine of the request");
  const memory::MemorySpec& memory = spec.memory;
  cuda::DeviceDescription device;
  device.name = spec.name + " (simulated)";
  device.compute_capability = static_cast<int>(spec.compute_capability);
  device.core_count = static_cast<int>(spec.cores);
  device.core_clock_khz = static_cast<int>(memory.clock.core_mhz * 1000);
  device.memory_clock_khz = static_cast<int>(memory.clock.dram_mhz * 1000);
  device.global_memory_bytes = spec.memory_bytes;
  device.l2_bytes =
      kLineBytes * memory.l2.sets * memory.l2.ways * memory.mapping.channels * memory.mapping.slices_per_channel;
  device.shared_bytes_per_block = device.shared_bytes_per_core = spec.core.shared.bytes;
  device.registers_per_block = device.registers_per_core = spec.core.registers;
  device.warp_size = static_cast<int>(spec.core.warp_size);
  const unsigned threads = std::min(spec.core.threads, spec.core.warps * spec.core.warp_size);
  device.max_threads_per_block = static_cast<int>(std::min(1024u, threads / spec.core.warp_size * spec.core.warp_size));
  device.max_threads_per_core = static_cast<int>(threads);
  device.max_blocks_per_core = static_cast<int>(spec.core.blocks);
  return device;
}

std::unique_ptr<cuda::LaunchSink> make_simulation(const report::Json& simulation) {
  return cuda::make_gpu_sink({"", device_description(simulation), simulation}, [] {
    if (process::deferred_signal_came()) throw Error("interrupted");
  });
}

}  // namespace warpfork::simulation
