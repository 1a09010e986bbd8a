// Functions that the GPU's system provides: PTX declares and calls them, no module has their body (NVIDIA, "PTX
// Writer's Guide to Interoperability", "System Calls").
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "simt/program.h"

namespace warpfork::simt {

/// Decoded to one instruction. Operands: [0] the result, if there is one; then the arguments' rows.
/// Instruction::immediate is the size of a pointer in bytes.
struct SystemCall {
  std::string_view name;
  std::string_view results;    // types: p = pointer or size_t, u = 32 bits; one at most
  std::string_view arguments;  // likewise; d = three numbers of 32 bits: their address in the thread's local memory
  Handler handler;
};

/// Label of the device memory that `malloc` in a kernel gives.
inline constexpr std::string_view kDeviceHeap = "malloc in a kernel";

/// `vprintf`, `__assertfail`, `malloc`, `free`, `__cxa_pure_virtual`, which tables of abstract classes name, and those
/// of device_runtime_calls.h; null for everything else.
const SystemCall* find_system_call(std::string_view name);

/// A device-side assertion failed. The text is as CUDA tells it (CUDA C++ Programming Guide, "Assertion"), a line for
/// each thread whose assertion failed in this instruction:
///   test.cu:12: void k(int): block: [0,0,0], thread: [2,0,0] Assertion `n < 3` failed.
class AssertionFailure final : public Error {
 public:
  explicit AssertionFailure(const std::string& text) : Error(text) {}
};

}  // namespace warpfork::simt
