// A launch without timing: every block executed to its end, one after the other.
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
  const simt::Launch& launch_;
  const LaunchOptions& options_;
  std::unique_ptr<Run> run_;
};

/// Throws Error for what the kernel does wrong, for a deadlock at a barrier, and when options.max_cycles are over.
report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options);

}  // namespace warpfork::gpu
