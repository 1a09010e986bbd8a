// The oracle for functional execution: PTX ISA semantics one thread at a time, with no thought of speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "ptx/module.h"
#include "reference/placement.h"

namespace warpfork::reference {

/// One kernel launch; warps have 32 threads.
struct Grid {
  Dim3 grid, block;
  std::vector<std::byte> parameters;
  std::uint32_t dynamic_shared_bytes = 0;
};

/// Runs kernels of a module whose variables it places in device memory. Blocks run one after another; the threads of a
/// block run in turn, each until it ends, waits at a barrier or reaches a warp-wide instruction. Such an instruction
/// happens when every thread it waits for is there: those of its membermask, which may have come to another instruction
/// of the same kind, all of the warp for matrices, or without one every thread of the warp that is neither at a barrier
/// nor gone. A barrier opens when the threads that it waits for have come; for a warp of which some have come, those
/// that are gone count as well, as do the lanes without a thread.
class Interpreter {
 public:
  /// The module must outlive the interpreter.
  Interpreter(const ptx::Module& module, simt::DeviceMemory& memory) : placement_(module, memory) {}

  /// Throws Error on what is not supported, bad addresses, deadlock, and after `max_steps` instructions of one block.
  void run(std::string_view kernel, const Grid& grid, std::uint64_t max_steps = 100'000'000) const;

  const Placement& placement() const { return placement_; }

 private:
  Placement placement_;
};

}  // namespace warpfork::reference
