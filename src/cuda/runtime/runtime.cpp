#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "cuda/runtime/api_error.h"
#include "simt/memory_fault.h"
#include "simt/system_calls.h"

namespace warpfork::cuda {

namespace {

constexpr std::string_view kMoreSharedMemory = "; one that has more: --set core.shared.bytes=N";

/// None where the limit is CUDA's own.
std::string_view way_to_more_threads(int threads_per_block) {
  return threads_per_block < 1024 ? "; a core that has room for more: --set core.threads=N, core.warps=N" : "";
}

constexpr int kLeastOfTools = 75;  // that CUDA 13 compiles for; those that load PTX ask little more of a device

std::string text_of(Dim3 extent) { return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z); }

std::vector<std::byte> pack_parameters(const ptx::Function& function, void** arguments) {
  std::vector<std::byte> buffer(function.parameter_bytes());
  const auto offsets = function.parameter_offsets();
  for (std::size_t i = 0; i < offsets.size(); ++i)
    std::memcpy(buffer.data() + offsets[i], arguments[i], function.parameters[i].bytes);
  return buffer;
}

void require_room(const simt::Launch& launch, const Residency& fits) {
  if (fits.blocks == 0)
    throw ApiError(
        cudaErrorLaunchOutOfResources,
        fmt::format("launch of '{}': a block of {} with {} each does not fit on a core "
                    "(limit: {}); use smaller blocks{}",
                    launch.program->name, counted(launch.threads_per_block(), "thread"),
                    counted(launch.program->registers_of_thread(), "register"), fmt::join(fits.limited_by, ", "),
                    fits.lacks_registers() ? ", or a machine with more (--set core.registers=N)" : ""));
}

void require_room_for_all(const simt::Launch& launch, const Residency& fits) {
  const std::uint64_t room = std::uint64_t{fits.blocks} * launch.core_count;
  if (launch.grid.count() > room)
    throw ApiError(cudaErrorCooperativeLaunchTooLarge,
                   fmt::format("cooperative launch of '{}' with {}: the machine holds {} at a time, {} on a core",
                               launch.program->name, counted(launch.grid.count(), "block"), room, fits.blocks));
}

/// The code that CUDA gives for the failure of a kernel.
cudaError_t code_of_failure(const std::exception& failure) {
  if (dynamic_cast<const simt::AssertionFailure*>(&failure)) return cudaErrorAssert;
  if (const auto* api_error = dynamic_cast<const ApiError*>(&failure)) return api_error->code();
  const auto* fault = dynamic_cast<const simt::MemoryFault*>(&failure);
  if (fault == nullptr) return cudaErrorLaunchFailure;
  return fault->kind() == simt::MemoryFault::Kind::Misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
}

}  // namespace

Runtime::Runtime(DeviceDescription device, std::string program_name, std::unique_ptr<LaunchSink> sink, Printer printer,
                 Recorder recorder)
    : device_(std::move(device)),
      sink_(std::move(sink)),
      printer_(std::move(printer)),
      recorder_(std::move(recorder)),
      device_memory_(device_.global_memory_bytes),
      memory_(device_memory_, device_.global_memory_bytes,
              [this](std::uint64_t address, std::uint64_t bytes) { sink_->copied_from_host(address, bytes); }),
      registry_(std::move(program_name), device_memory_, static_cast<unsigned>(device_.warp_size),
                sink_->code_options()),
      timeline_(device_.core_clock_khz),
      device_runtime_([this](const simt::DeviceGrid& grid) { return admits(grid); }) {
  if (sink_->watches_memory()) device_memory_.watch();
}

DeviceDescription Runtime::device() {
  DeviceDescription device = device_;
  if (device.compute_capability == 0) device.compute_capability = static_cast<int>(registry_.architecture());
  if (device.compute_capability == 0) device.compute_capability = least_compute_capability_;
  return device;
}

void Runtime::expect_loaded_code() { least_compute_capability_ = kLeastOfTools; }

void Runtime::require_possible(const simt::Launch& launch) const {
  const std::string& name = launch.program->name;
  if (launch.grid.count() == 0 || launch.block.count() == 0)
    throw ApiError(cudaErrorInvalidConfiguration,
                   fmt::format("launch of '{}' with grid {} and block {}: every extent must be at least 1", name,
                               text_of(launch.grid), text_of(launch.block)));
  if (launch.block.count() > static_cast<std::uint64_t>(device_.max_threads_per_block))
    throw ApiError(cudaErrorInvalidConfiguration,
                   fmt::format("launch of '{}' with {} threads per block ({}): the machine allows {}{}", name,
                               launch.block.count(), text_of(launch.block), device_.max_threads_per_block,
                               way_to_more_threads(device_.max_threads_per_block)));
  if (launch.shared_bytes() > device_.shared_bytes_per_block)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("launch of '{}' with {} bytes of shared memory per block: the machine allows {}{}", name,
                               launch.shared_bytes(), device_.shared_bytes_per_block, kMoreSharedMemory));
  try {
    simt::validate(launch);
  } catch (const Error& error) {
    throw ApiError(cudaErrorInvalidConfiguration, error.what());
  }
}

Runtime::Fit Runtime::fit(const RegisteredKernel& kernel, unsigned threads, std::uint32_t dynamic_shared_bytes) {
  const simt::Program& usual = registry_.program(kernel);
  Residency residency = sink_->residency(usual, threads, dynamic_shared_bytes);
  if (residency.lacks_registers()) {
    const simt::Program& fitted = registry_.program(kernel, threads);
    if (Residency other = sink_->residency(fitted, threads, dynamic_shared_bytes); other.blocks != 0)
      return {fitted, std::move(other)};
  }
  return {usual, std::move(residency)};
}

/// Its size in four bytes, and the barrier of the grid in four.
std::uint64_t Runtime::grid_workspace() {
  constexpr std::uint32_t kBytes = 8;
  if (grid_workspace_ != 0) return grid_workspace_;
  grid_workspace_ = device_memory_.allocate(kBytes, "workspace of cooperative launches");
  std::memcpy(device_memory_.find(grid_workspace_, kBytes), &kBytes, sizeof kBytes);
  if (simt::MemoryWatch* watch = device_memory_.watched()) watch->write(grid_workspace_, kBytes);
  return grid_workspace_;
}

simt::Launch Runtime::launch_of(const RegisteredKernel& kernel, const simt::DeviceGrid& grid, bool is_cooperative) {
  simt::Launch launch;
  launch.memory = &device_memory_;
  launch.grid = grid.grid;
  launch.block = grid.block;
  launch.dynamic_shared_bytes = grid.dynamic_shared_bytes;
  launch.program = &registry_.program(kernel);
  launch.parameters = grid.parameters;
  launch.warp_size = static_cast<unsigned>(device_.warp_size);
  launch.core_count = static_cast<unsigned>(device_.core_count);
  launch.device_runtime = &device_runtime_;
  require_possible(launch);
  const Fit fits = fit(kernel, launch.threads_per_block(), launch.dynamic_shared_bytes);
  launch.program = &fits.program;
  require_room(launch, fits.residency);
  if (is_cooperative) {
    require_room_for_all(launch, fits.residency);
    launch.grid_workspace = grid_workspace();
  }
  return launch;
}

void Runtime::launch(const RegisteredKernel& kernel, Dim3 grid, Dim3 block, void** arguments,
                     std::uint64_t dynamic_shared_bytes, bool is_cooperative) {
  const auto set = kernel.most_dynamic_shared_bytes;
  if (const std::uint32_t most = set.value_or(device_.shared_bytes_per_block); dynamic_shared_bytes > most)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("launch of '{}' with {} bytes of dynamic shared memory: {} allows {}{}", kernel.name,
                               dynamic_shared_bytes, set ? "cudaFuncSetAttribute" : "the machine", most,
                               set ? "" : kMoreSharedMemory));
  const simt::DeviceGrid first{.kernel = kernel.name,
                               .grid = grid,
                               .block = block,
                               .dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared_bytes),
                               .parameters = pack_parameters(*registry_.program(kernel).function, arguments)};
  simt::Launch launch = launch_of(kernel, first, is_cooperative);
  image_ = kernel.image;
  run(std::move(launch), {});
  device_runtime_.run_grids([&](const simt::DeviceGrid& next) {
    run(launch_of(*registry_.kernel_of(*image_, next.kernel), next, false), {next.launcher + 1});
  });
}

/// As on hardware, a launch that a thread cannot make is left out.
bool Runtime::admits(const simt::DeviceGrid& grid) {
  try {
    launch_of(*registry_.kernel_of(*image_, grid.kernel), grid, false);
    return true;
  } catch (const ApiError& error) {
    if (error.code() == cudaErrorInvalidPtx) throw;
    notes_.push_back(fmt::format("a device-side launch is left out, as a GPU does: {}", error.what()));
    return false;
  }
}

std::vector<std::string> Runtime::take_notes() {
  std::vector<std::string> notes = registry_.take_notes();
  for (std::string& note : std::exchange(notes_, {})) notes.push_back(std::move(note));
  return notes;
}

void Runtime::run(simt::Launch launch, report::Launcher launcher) {
  launch.grid_id = launch_count_++;
  if (simt::MemoryWatch* watch = device_memory_.watched()) watch->launch();
  device_runtime_.begin(launch);
  std::string cut_off;
  try {
    LaunchOutcome outcome = run_and_print(launch);
    outcome.record.launched_by = launcher;
    timeline_.advance(outcome.cycles);
    cut_off = outcome.record.cut_off;
    recorder_(outcome.record);
  } catch (const std::exception& error) {
    lost_ = code_of_failure(error);
    throw ApiError(lost_, message_of(error));
  }
  if (cut_off.empty()) return;
  lost_ = cudaErrorLaunchTimeout;
  throw ApiError(lost_, cut_off);
}

/// A kernel that fails has printed what it had until then.
LaunchOutcome Runtime::run_and_print(simt::Launch& launch) {
  std::string printed;
  launch.printed = &printed;
  const auto print = [&] {
    if (!printed.empty()) printer_(printed);
  };
  try {
    LaunchOutcome outcome = sink_->run(launch);
    print();
    return outcome;
  } catch (...) {
    print();
    throw;
  }
}

cudaMemoryType Runtime::type_of(const void* pointer) const {
  const bool is_variable = registry_.is_managed_variable(reinterpret_cast<std::uintptr_t>(pointer));
  return is_variable ? cudaMemoryTypeManaged : memory_.type_of(pointer);
}

void Runtime::guard_from_host(HostGuard::Tell tell) {
  if (sink_->watches_memory() && memory_.is_shared()) guard_.emplace(device_memory_, std::move(tell));
}

void Runtime::open_to_host() {
  if (guard_) guard_->open();
}

void Runtime::close_to_host() {
  if (!guard_) return;
  std::vector<simt::DeviceMemory::Range> of_host = memory_.of_host();
  const std::vector<simt::DeviceMemory::Range> variables = registry_.managed_variables();
  of_host.insert(of_host.end(), variables.begin(), variables.end());
  guard_->close(of_host);
}

void Runtime::reset() {
  if (lost_ != cudaErrorLaunchTimeout) lost_ = cudaSuccess;
}

unsigned Runtime::resident_blocks(const RegisteredKernel& kernel, unsigned threads,
                                  std::uint64_t dynamic_shared_bytes) {
  if (threads > static_cast<unsigned>(device_.max_threads_per_block)) return 0;
  if (dynamic_shared_bytes + registry_.program(kernel).shared_bytes(0) > device_.shared_bytes_per_block) return 0;
  return fit(kernel, threads, static_cast<std::uint32_t>(dynamic_shared_bytes)).residency.blocks;
}

}  // namespace warpfork::cuda
