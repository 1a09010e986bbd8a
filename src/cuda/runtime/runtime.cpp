#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "cuda/runtime/api_error.h"
#include "simt/memory_fault.h"
#include "simt/system_calls.h"

namespace warpfork::cuda {

namespace {

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
    throw ApiError(cudaErrorLaunchOutOfResources,
                   fmt::format("launch of '{}': a block of {} threads with {} registers each does not fit on a core "
                               "(limit: {}); use smaller blocks{}",
                               launch.program->name, launch.threads_per_block(), launch.program->registers_of_thread(),
                               fmt::join(fits.limited_by, ", "),
                               fits.lacks_registers() ? ", or a machine with more (--set core.registers=N)" : ""));
}

void require_room_for_all(const simt::Launch& launch, const Residency& fits) {
  const std::uint64_t room = std::uint64_t{fits.blocks} * launch.core_count;
  if (launch.grid.count() > room)
    throw ApiError(
        cudaErrorCooperativeLaunchTooLarge,
        fmt::format("cooperative launch of '{}' with {} blocks: the machine holds {} at a time, {} on a core",
                    launch.program->name, launch.grid.count(), room, fits.blocks));
}

/// The code that CUDA gives for the failure of a kernel.
cudaError_t code_of_failure(const std::exception& failure) {
  if (dynamic_cast<const simt::AssertionFailure*>(&failure)) return cudaErrorAssert;
  const auto* fault = dynamic_cast<const simt::MemoryFault*>(&failure);
  if (fault == nullptr) return cudaErrorLaunchFailure;
  return fault->kind() == simt::MemoryFault::Kind::Misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
}

}  // namespace

Runtime::Runtime(DeviceDescription device, std::string program_name, std::unique_ptr<LaunchSink> sink, Printer printer)
    : device_(std::move(device)),
      sink_(std::move(sink)),
      printer_(std::move(printer)),
      device_memory_(device_.global_memory_bytes),
      memory_(device_memory_, device_.global_memory_bytes,
              [this](std::uint64_t address, std::uint64_t bytes) { sink_->copied_from_host(address, bytes); }),
      registry_(std::move(program_name), device_memory_, static_cast<unsigned>(device_.warp_size),
                sink_->code_options()),
      timeline_(device_.core_clock_khz) {
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
                   fmt::format("launch of '{}' with {} threads per block ({}): the machine allows {}", name,
                               launch.block.count(), text_of(launch.block), device_.max_threads_per_block));
  if (launch.shared_bytes() > device_.shared_bytes_per_block)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("launch of '{}' with {} bytes of shared memory per block: the machine allows {}", name,
                               launch.shared_bytes(), device_.shared_bytes_per_block));
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

LaunchOutcome Runtime::launch(const RegisteredKernel& kernel, Dim3 grid, Dim3 block, void** arguments,
                              std::uint64_t dynamic_shared_bytes, bool is_cooperative) {
  const auto set = kernel.most_dynamic_shared_bytes;
  if (const std::uint32_t most = set.value_or(device_.shared_bytes_per_block); dynamic_shared_bytes > most)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("launch of '{}' with {} bytes of dynamic shared memory: {} allows {}", kernel.name,
                               dynamic_shared_bytes, set ? "cudaFuncSetAttribute" : "the machine", most));
  simt::Launch launch;
  launch.memory = &device_memory_;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared_bytes);
  launch.program = &registry_.program(kernel);
  launch.parameters = pack_parameters(*launch.program->function, arguments);
  launch.warp_size = static_cast<unsigned>(device_.warp_size);
  launch.grid_id = launch_count_;
  launch.core_count = static_cast<unsigned>(device_.core_count);
  require_possible(launch);
  const Fit fits = fit(kernel, launch.threads_per_block(), launch.dynamic_shared_bytes);
  launch.program = &fits.program;
  require_room(launch, fits.residency);
  if (is_cooperative) {
    require_room_for_all(launch, fits.residency);
    launch.grid_workspace = grid_workspace();
  }
  ++launch_count_;
  if (simt::MemoryWatch* watch = device_memory_.watched()) watch->launch();
  try {
    LaunchOutcome outcome = run(launch);
    timeline_.advance(outcome.cycles);
    if (!outcome.record.cut_off.empty()) lost_ = cudaErrorLaunchTimeout;
    return outcome;
  } catch (const std::exception& error) {
    lost_ = code_of_failure(error);
    throw ApiError(lost_, message_of(error));
  }
}

/// A kernel that fails has printed what it had until then.
LaunchOutcome Runtime::run(simt::Launch& launch) {
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
