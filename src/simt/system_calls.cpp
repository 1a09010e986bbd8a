#include "simt/system_calls.h"

#include <algorithm>
#include <cstring>

#include "simt/caller.h"
#include "simt/device_runtime_calls.h"
#include "simt/execution_error.h"
#include "simt/print_format.h"

namespace warpfork::simt {

namespace {

/// The second argument of vprintf: where a thread has packed the others.
class PackedArguments final : public PrintArguments {
 public:
  PackedArguments(const Caller& caller, std::uint64_t begin) : caller_(caller), next_(begin) {}

  std::uint64_t next(unsigned bytes) override {
    next_ = (next_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = caller_.packed(next_, bytes);
    next_ += bytes;
    return value;
  }
  std::string text_at(std::uint64_t address) override { return caller_.text(address); }
  unsigned address_bytes() const override { return caller_.address_bytes(); }

 private:
  const Caller& caller_;
  std::uint64_t next_;
};

/// What vprintf returns: the number of arguments, -1 for a format that is null.
int print_lane(const Caller& caller, std::string& out) {
  if (caller.pointer(1) == 0) return -1;
  PackedArguments arguments(caller, caller.pointer(2));
  return print_formatted(caller.text(caller.pointer(1)), arguments, out);
}

/// [0] result, [1] format, [2] the other arguments. Lanes print in their order.
void vprintf(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::string nowhere, *out = warp.block->launch().printed;
  lanes.for_each([&](unsigned lane) {
    const Caller caller(instruction, warp, lane);
    caller.give_number(static_cast<std::uint32_t>(print_lane(caller, out ? *out : nowhere)));
  });
}

/// [0] message, [1] file, [2] line, [3] function, [4] bytes of a character, which is always one.
void assert_failed(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::string text;
  const Dim3 block = warp.block->index();
  lanes.for_each([&](unsigned lane) {
    const Caller caller(instruction, warp, lane);
    const Dim3 thread = thread_of(warp, lane);
    text += fmt::format("{}{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.",
                        text.empty() ? "" : "\n", caller.text(caller.pointer(1)), caller.number(2),
                        caller.text(caller.pointer(3)), block.x, block.y, block.z, thread.x, thread.y, thread.z,
                        caller.text(caller.pointer(0)));
  });
  if (lanes.any()) throw AssertionFailure(text);
}

/// [0] what is allocated, null if there is no room or nothing was asked for; [1] its bytes. Lanes allocate in their
/// order, each at a place where cudaMalloc could.
void allocate_memory(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  DeviceMemory& memory = *warp.block->launch().memory;
  lanes.for_each([&](unsigned lane) {
    const Caller caller(instruction, warp, lane);
    std::uint64_t address = 0;
    try {
      if (const std::uint64_t bytes = caller.pointer(1); bytes != 0)
        address = memory.allocate(bytes, std::string(kDeviceHeap));
    } catch (const Error&) {  // no room
    }
    caller.give_pointer(address);
  });
}

/// [0] what is freed. The block may not go on by what it knows of allocations.
void free_memory(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  DeviceMemory& memory = *warp.block->launch().memory;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t address = Caller(instruction, warp, lane).pointer(0);
    if (address == 0) return;
    if (memory.allocation_at(address).begin != address || memory.label_at(address) != kDeviceHeap)
      simt::fail(instruction, warp, lane, fmt::format("the kernel frees {:#x}, which is not what malloc gave", address),
                 memory.describe_nearest(address));
    memory.free(address);
  });
  warp.allocations = {};
}

/// What tables of abstract classes hold.
void call_pure_virtual(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.any())
    simt::fail(instruction, warp, lanes.lowest(), "a virtual function that the object's class leaves open is called",
               "give the class its own, or call it when the object has been constructed");
}

constexpr SystemCall kSystemCalls[] = {{"vprintf", "u", "pp", vprintf},
                                       {"__assertfail", "", "ppupp", assert_failed},
                                       {"malloc", "p", "p", allocate_memory},
                                       {"free", "", "p", free_memory},
                                       {"__cxa_pure_virtual", "", "", call_pure_virtual}};

}  // namespace

const SystemCall* find_system_call(std::string_view name) {
  const auto* found = std::ranges::find(kSystemCalls, name, &SystemCall::name);
  return found == std::end(kSystemCalls) ? find_device_runtime_call(name) : found;
}

}  // namespace warpfork::simt
