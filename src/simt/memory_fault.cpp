#include "simt/memory_fault.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lower/stack_variable.h"
#include "simt/address_map.h"
#include "simt/execution_error.h"

namespace warpfork::simt {

namespace {

std::string_view verb_of(const Instruction& instruction) {
  switch (instruction.kind) {
    case InstructionKind::Store:
      return "store";
    case InstructionKind::Atomic:
      return "atomic";
    default:
      return "load";
  }
}

std::string limits_of_local(const WarpContext& warp) {
  const std::string all = fmt::format("a thread has {} of local memory", counted(warp.memory.local_bytes, "byte"));
  const std::uint32_t stack = lower::stack_bytes_of(*warp.block->launch().program->function);
  if (stack == 0) return all;
  return fmt::format(
      "{}, of which the last {} are the stack of recursive calls, or of alloca: it is too small, unless the address is "
      "wrong; "
      "cudaDeviceSetLimit(cudaLimitStackSize, ...) or cuCtxSetLimit gives more",
      all, stack);
}

/// Of an address that no allocation is near to.
std::string_view kind_of_strange(std::uint64_t address) {
  constexpr std::uint64_t kFirstPage = 4096;
  if (address < kFirstPage) return "a null pointer, or an index behind one";
  return "an address of the host program, or a wild one: kernels reach what cudaMalloc gave and cudaMemcpy filled";
}

std::string limits(const WarpContext& warp, MemorySpace space, std::uint64_t address) {
  const MemoryView& memory = warp.memory;
  switch (space) {
    case MemorySpace::Shared:
      return fmt::format("the block has {} of shared memory", counted(memory.shared_bytes, "byte"));
    case MemorySpace::Local:
      return limits_of_local(warp);
    case MemorySpace::Param:
      return fmt::format("the kernel has {} of parameters, which cannot be written",
                         counted(memory.parameter_bytes, "byte"));
    case MemorySpace::Generic:
      return fmt::format("it must lie in shared memory, of which the block has {} from {:#x} on",
                         counted(memory.shared_bytes, "byte"), kSharedWindow.begin);
    default:
      if (address < kSharedWindow.begin || address >= kDeviceMemory.end) return std::string(kind_of_strange(address));
      return memory.device->describe_nearest(address);
  }
}

/// What lay there, where --memcheck asks.
std::optional<std::string> freed_at(const WarpContext& warp, MemorySpace space, std::uint64_t address) {
  if (space != MemorySpace::Global && space != MemorySpace::Const) return std::nullopt;
  const MemoryWatch* watch = warp.memory.device->watched();
  return watch == nullptr ? std::nullopt : watch->describe_freed(address);
}

}  // namespace

std::string_view name_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::Shared:
      return "shared";
    case MemorySpace::Local:
      return "local";
    case MemorySpace::Const:
      return "const";
    case MemorySpace::Param:
      return "parameter";
    case MemorySpace::Generic:
      return "generic";
    default:
      return "global";
  }
}

bool find_allocation(WarpContext& warp, std::uint64_t address, std::uint64_t bytes) {
  const auto holds = [=](DeviceMemory::Range range) { return range.holds(address, bytes); };
  KnownAllocations& allocations = warp.allocations;
  const auto known = std::ranges::find_if(allocations.known, holds);
  const DeviceMemory::Range range =
      known != allocations.known.end() ? *known : warp.memory.device->allocation_at(address);
  if (!holds(range)) return false;
  allocations.known[allocations.place] = range;
  return true;
}

void fail_out_of_bounds(const Instruction& instruction, const WarpContext& warp, unsigned lane, std::uint64_t address) {
  const MemorySpace space = warp.access.space;
  const std::optional<std::string> freed = freed_at(warp, space, address);
  const std::string cause =
      fmt::format("{} {} of {} at {:#x} is {}", name_of(space), verb_of(instruction),
                  counted(instruction.access_bytes, "byte"), address, freed ? "a use after free" : "out of bounds");
  throw MemoryFault(MemoryFault::Kind::OutOfBounds,
                    failure_text(instruction, warp, lane, cause, freed ? *freed : limits(warp, space, address)));
}

void fail_misaligned(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  unsigned wrong = lanes.lowest();
  lanes.for_each([&](unsigned lane) {
    const bool found_one = warp.access.address[wrong] % instruction.access_bytes != 0;
    if (!found_one && warp.access.address[lane] % instruction.access_bytes != 0) wrong = lane;
  });
  const std::uint64_t address = warp.access.address[wrong];
  const std::string cause = fmt::format("{} {} of {} bytes at {:#x} is misaligned", name_of(instruction.space),
                                        verb_of(instruction), instruction.access_bytes, address);
  const std::string remedy = fmt::format("the address must be a multiple of {}", instruction.access_bytes);
  throw MemoryFault(MemoryFault::Kind::Misaligned, failure_text(instruction, warp, wrong, cause, remedy));
}

}  // namespace warpfork::simt
