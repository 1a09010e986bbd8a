// The whole GPU: cores, the memory side, and the block scheduler that deals out a grid.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core.h"
#include "gpu/launch_options.h"
#include "gpu/occupancy.h"
#include "report/launch_record.h"

namespace warpfork::gpu {

class Device {
 public:
  /// Throws Error for a description that contradicts itself.
  explicit Device(const MachineSpec& spec);

  /// Runs one launch to its end, in warps of this machine's size and on its cores. Throws Error for what the kernel
  /// does wrong, for a block that fits on no core, for a deadlock, and when options.max_cycles are over.
  report::LaunchRecord run(const simt::Launch& launch, const LaunchOptions& options);

  /// A copy from the host put these bytes into device memory.
  void copied_from_host(std::uint64_t address, std::uint64_t bytes) { memory_.warm(address, bytes); }

  const MachineSpec& spec() const { return spec_; }

 private:
  struct Grid;  // the blocks of the launch that are still to be dealt out

  report::LaunchRecord run_timed(const simt::Launch& launch, const LaunchOptions& options);
  std::optional<MeetingRecord> foresee(const simt::Launch& launch, const LaunchOptions& options, const Occupancy& fits);
  Cycle simulate(const simt::Launch& launch, const LaunchOptions& options, report::LaunchListener& listener,
                 const Occupancy& fits, Foresight foresight);
  bool issue_blocks(Grid& grid, Cycle now);
  std::uint64_t running_blocks() const;
  std::string describe_cores() const;
  void fill_occupancy(report::OccupancyCount& count, const Occupancy& fits, const simt::Launch& launch) const;
  void fill_counters(report::LaunchRecord& record, const report::LaunchRecord& before) const;

  MachineSpec spec_;
  memory::MemorySystem memory_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<Cycle> wake_;  // by core: when it next has something to do
  unsigned next_core_ = 0;   // where the block scheduler goes on, in the next launch too
};

}  // namespace warpfork::gpu
