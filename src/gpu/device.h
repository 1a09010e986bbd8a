// The whole GPU: cores, the memory side, and the block scheduler that deals out a grid.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "divergence/registry.h"
#include "gpu/core_calendar.h"
#include "gpu/kernel_tables.h"
#include "gpu/launch_facts.h"
#include "gpu/launch_options.h"
#include "gpu/machine_spec.h"
#include "gpu/occupancy.h"
#include "memory/memory_system.h"
#include "report/launch_listener.h"
#include "report/launch_record.h"
#include "simt/launch.h"

namespace warpfork::gpu {

class Core;
class LivelockWatch;
class RunAhead;
class SampledRun;

class Device {
 public:
  /// Throws Error for a description that contradicts itself.
  explicit Device(const MachineSpec& spec);
  ~Device();

  /// Runs one launch to its end, in warps of this machine's size and on its cores. When options.max_cycles or
  /// options.max_instructions are over it is cut off: the record says so and holds what was counted, and nothing can be
  /// run here any more. Throws Error for what the kernel does wrong, for a block that fits on no core, for a deadlock
  /// and for a livelock.
  report::LaunchRecord run(const simt::Launch& launch, const LaunchOptions& options);

  /// A copy from the host put these bytes into device memory.
  void copied_from_host(std::uint64_t address, std::uint64_t bytes) { memory_.warm(address, bytes); }

  const MachineSpec& spec() const { return spec_; }

 private:
  /// How a simulation went out.
  struct End {
    Cycle cycles = 0;
    std::string cut_off;  // as in LaunchRecord
  };
  /// What a core tells its events, by its number.
  using Listeners = std::function<report::LaunchListener&(unsigned)>;
  /// Whether a launch has done more than it may.
  using Limit = std::function<bool()>;
  struct Grid;  // the blocks of the launch that are still to be dealt out

  /// Those that are missing up to this number: without timing no launch needs them.
  void make_cores(unsigned number);
  RunAhead& host_threads(unsigned threads);
  report::LaunchRecord run_timed(const simt::Launch& launch, const LaunchOptions& options);
  std::optional<CompactionProfile> foresee(const simt::Launch& launch, const LaunchOptions& options,
                                           const Occupancy& fits);
  End simulate(const simt::Launch& launch, const LaunchOptions& options, const Listeners& listeners,
               const Occupancy& fits, Foresight foresight, const Limit& is_past_limit = {},
               SampledRun* sample = nullptr);
  End cut_off(const simt::Launch& launch, Cycle now, const ReachedLimit& limit);
  /// In a launch of so many blocks that begins now. The others cost it nothing.
  bool gets_block(unsigned core, std::uint64_t blocks) const;
  void run_ahead(Cycle now, const LaunchOptions& options, const LivelockWatch& watch, bool blocks_left);
  bool run_cores(Cycle now, bool& dealing);
  bool has_room(unsigned core) const;
  bool issue_blocks(Grid& grid, Cycle now);
  std::uint64_t running_blocks() const;
  std::string describe_cores() const;
  /// Since the device is there.
  report::MemoryCounts memory_counts() const;
  std::uint64_t flits_carried() const;

  MachineSpec spec_;
  memory::MemorySystem memory_;
  std::optional<KernelTables> tables_;  // of the present launch
  std::vector<std::unique_ptr<Core>> cores_;
  CoreCalendar calendar_;
  std::uint64_t busy_ = 0;                  // a bit for each core that holds a block
  std::unique_ptr<RunAhead> host_threads_;  // null = no launch has let cores run ahead
  RunAhead* ahead_ = nullptr;               // in the present launch; null = cores take turns in each cycle
  unsigned next_core_ = 0;                  // where the block scheduler goes on, in the next launch too
  bool is_lost_ = false;                    // a launch was cut off: cores and memory are in the midst of it
};

}  // namespace warpfork::gpu
