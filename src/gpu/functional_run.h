// A launch without timing: every block executed to its end, one after the other where none waits for another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gpu/launch_options.h"
#include "gpu/machine_spec.h"
#include "report/launch_record.h"
#include "simt/launch.h"
#include "simt/memory_access.h"

namespace warpfork::gpu {

/// Executes blocks of a launch by their numbers, x fastest, and counts issued instructions.
///
/// One block after the other, and in each one warp after the other, for 65,536 instructions or until it exits or waits
/// at a barrier. From the moment on when a warp of the launch is seen to poll (PollingWatch) a warp's turn is 64
/// instructions. Then a block is looked at again after 256, 512, 1024 … rounds, and one that comes to barriers again
/// and again in any case after 4096, 8192 … When all its warps poll, or nothing of it can ever get any further by
/// itself (LivelockWatch), as many of the blocks behind it start as cores hold together, in their order, and take
/// turns, as those of a cooperative launch do from the beginning; a block that ends makes room for the next one. If
/// none of these can get any further, it is a livelock.
///
/// Whether warps are watched changes the order of nothing while nobody waits.
class FunctionalBlocks {
 public:
  /// Of each access to memory, if anybody wants to know.
  using Accessed = std::function<void(const simt::Instruction&, const simt::MemoryAccess&)>;
  FunctionalBlocks(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                   Accessed accessed = {});
  ~FunctionalBlocks();

  /// Those from `first` up to `end`, in their order. Throws as run_functionally() does.
  void run(std::uint64_t first, std::uint64_t end);
  /// Puts the counts of all that has been run into the record.
  void fill(report::LaunchRecord& record) const;
  /// As in LaunchRecord.
  const std::string& cut_off() const;

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

/// Throws Error for what the kernel does wrong, for a deadlock at a barrier, and when options.max_cycles are over.
report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options);

}  // namespace warpfork::gpu
