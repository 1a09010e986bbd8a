#include "simt/device_runtime_calls.h"

#include <algorithm>

#include "simt/caller.h"
#include "simt/device_runtime.h"

namespace warpfork::simt {

namespace {

// As cudaError_t has them.
constexpr std::uint32_t kSuccess = 0, kInvalidConfiguration = 9, kInvalidDeviceFunction = 98;

DeviceRuntime& runtime_of(const Caller& caller) {
  DeviceRuntime* const runtime = caller.warp().block->launch().device_runtime;
  if (runtime == nullptr) caller.fail("the kernel launches a grid of its own", "only kernels of a program can");
  return *runtime;
}

std::uint32_t& last_error(const Caller& caller) {
  const BlockContext& block = *caller.warp().block;
  const Launch& launch = block.launch();
  return runtime_of(caller).last_error(launch.grid.number_of(block.index()),
                                       static_cast<unsigned>(launch.block.number_of(caller.thread())));
}

/// The address of the arguments, null and an error if there can be no such grid.
std::uint64_t prepare(const Caller& caller) {
  DeviceRuntime& runtime = runtime_of(caller);
  const ptx::Function* const kernel = runtime.kernel_at(caller.pointer(1));
  std::uint32_t& error = last_error(caller);
  if (kernel == nullptr) return error = kInvalidDeviceFunction, 0;
  DeviceGrid grid{.kernel = kernel->name,
                  .grid = caller.extent(2),
                  .block = caller.extent(3),
                  .dynamic_shared_bytes = caller.number(4),
                  .parameters = std::vector<std::byte>(kernel->parameter_bytes())};
  if (!runtime.admits(grid)) return error = kInvalidConfiguration, 0;
  return runtime.prepare(std::move(grid));
}

/// [0] where the arguments go, [1] the kernel, [2] its grid, [3] its block, [4] bytes of dynamic shared memory.
void prepare_grid(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  lanes.for_each([&](unsigned lane) {
    const Caller caller(instruction, warp, lane);
    caller.give_pointer(prepare(caller));
  });
}

std::uint32_t launch(const Caller& caller) {
  if (!runtime_of(caller).launch(caller.pointer(1), caller.pointer(2)))
    caller.fail(fmt::format("a grid is launched with arguments at {:#x}, where none can be", caller.pointer(1)),
                "they lie where cudaGetParameterBuffer has said, and are launched once");
  return kSuccess;
}

/// [0] error, [1] where the arguments are, [2] stream. The block may not go on by what it knows of allocations: the
/// arguments' is gone.
void launch_grid(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  answer_each<launch>(instruction, warp, lanes);
  warp.allocations = {};
}

// What stands in [0] of the others, mostly an error.

std::uint32_t get_last_error(const Caller& caller) { return last_error(caller); }

/// [1] the error.
std::uint32_t set_last_error(const Caller& caller) { return last_error(caller) = caller.number(1); }

/// [1] where the handle goes. Grids run in the order of their launches, whatever their streams.
std::uint32_t make_handle(const Caller& caller) {
  caller.store(caller.pointer(1), runtime_of(caller).new_handle());
  return kSuccess;
}

/// [1] where the number of the device goes, or of devices: 0, or 1.
template <std::uint32_t kNumber>
std::uint32_t tell_number(const Caller& caller) {
  caller.store(caller.pointer(1), kNumber);
  return kSuccess;
}

std::uint32_t succeed(const Caller&) { return kSuccess; }

constexpr std::string_view kPrefixes[] = {"__cuda_syscall_cnpv2", "cnp"};

/// Behind a prefix.
constexpr SystemCall kCalls[] = {
    {"GetParameterBufferV2", "p", "pddu", prepare_grid},    {"LaunchDeviceV2", "u", "pp", launch_grid},
    {"GetLastError", "u", "", answer_each<get_last_error>}, {"SetLastError", "u", "u", answer_each<set_last_error>},
    {"StreamCreate", "u", "pu", answer_each<make_handle>},  {"StreamDestroy", "u", "p", answer_each<succeed>},
    {"StreamWaitEvent", "u", "ppu", answer_each<succeed>},  {"EventCreate", "u", "pu", answer_each<make_handle>},
    {"EventRecord", "u", "pp", answer_each<succeed>},       {"EventDestroy", "u", "p", answer_each<succeed>},
    {"GetDevice", "u", "p", answer_each<tell_number<0>>},   {"GetDeviceCount", "u", "p", answer_each<tell_number<1>>}};

}  // namespace

const SystemCall* find_device_runtime_call(std::string_view name) {
  for (const std::string_view prefix : kPrefixes) {
    if (!name.starts_with(prefix)) continue;
    const auto* found = std::ranges::find(kCalls, name.substr(prefix.size()), &SystemCall::name);
    if (found != std::end(kCalls)) return found;
  }
  return nullptr;
}

}  // namespace warpfork::simt
