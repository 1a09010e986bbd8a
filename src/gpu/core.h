// One core (streaming multiprocessor): fetch, instruction buffers, scoreboard, warp schedulers, operand collectors,
// execution units and load/store unit around the thread blocks it holds (gtx480.md, "Core").
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "divergence/registry.h"
#include "gpu/dispatch_stage.h"
#include "gpu/fetch_unit.h"
#include "gpu/issue_conditions.h"
#include "gpu/issue_stage.h"
#include "gpu/kernel_tables.h"
#include "gpu/load_store_unit.h"
#include "gpu/machine_spec.h"
#include "gpu/occupancy.h"
#include "gpu/outstanding_operations.h"
#include "gpu/register_hazards.h"
#include "gpu/split_buffers.h"
#include "gpu/wakeable.h"
#include "gpu/warp_admission.h"
#include "gpu/writeback_stage.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Order within a cycle, as GPGPU-Sim's: responses, writeback, execute, read operands, issue, decode, fetch.
/// The core may sleep: next_event() says until when, a response wakes it earlier. Of a core that does not, all that is
/// ahead of the lanes sleeps as long as nothing may issue and nothing is fetched: until an instruction buffer entry
/// changes, instructions come, or a temporal lane gets room for a warp that is ready. For those who count, such cycles
/// are like cycles in which the core sleeps.
class Core final : private Wakeable {
 public:
  /// Of a machine whose description has been validated.
  Core(const MachineSpec& spec, unsigned number, memory::MemorySystem& memory);

  /// A kernel begins, a block of which takes what `fits` says: the core will hold up to `blocks` of them. `listener`
  /// hears of everything until end_kernel(). `foresight`: what an oracle knows of the launch.
  /// The tables stay as long.
  void begin_kernel(const simt::Launch& launch, const KernelTables& kernel, const Occupancy& fits, unsigned blocks,
                    report::LaunchListener& listener, Foresight foresight = {});
  /// Instead: the launch has no block for this core, which stays as the last one left it and costs nothing.
  void sit_out(report::LaunchListener& listener);
  bool has_room() const { return blocks_.has_room() && (!admission_ || admission_->fits()); }
  bool empty() const { return blocks_.running() == 0; }
  /// What it holds; blocks with all threads gone, too, until their last store is acknowledged.
  const BlockSlots& blocks() const { return blocks_; }
  void start_block(Dim3 index, Cycle now);
  void cycle(Cycle now);
  /// The first cycle after `now` in which there is something to do, but for a response.
  Cycle next_event(Cycle now) const {
    if (empty()) return kNever;
    return may_act_ ? now + 1 : next_event_of_units(now);
  }
  /// In this cycle, after cycle(now): the listener hears of what it has not been told yet, but for thread_cycles().
  void tell_so_far(Cycle now);
  /// Caches are as they would be behind this access of a block that is executed elsewhere (docs/sampling.md).
  void pass(const simt::Instruction& instruction, const simt::MemoryAccess& access) {
    load_store_.pass(instruction, access);
  }
  void end_kernel();
  /// The kernel is cut off in this cycle: the listener hears what there is to hear so far.
  void cut_off(Cycle now);
  /// The other listener hears of blocks and instructions, too, from now on; null = none.
  void also_tell(report::LaunchListener* other) {
    if (takes_part_) dispatch_.also_tell(other);
  }

  /// Since the kernel began, as the schedulers saw the threads up to the last cycle.
  report::ThreadCycles thread_cycles() {
    if (asleep_) catch_up(now_);
    return census_.thread_cycles();
  }

  /// Of everything that it runs: where every split is and what it waits for.
  std::string describe() const;

  /// For those who look into a core: which split waits for what, and the registers that are being written.
  const SplitBuffers& buffers() const { return buffers_; }
  const Scoreboard& scoreboard() const { return registers_.scoreboard(); }

  const memory::CacheStatistics& l1d() const { return load_store_.l1d(); }
  const memory::CacheStatistics& l1i() const { return fetch_.statistics(); }
  const memory::CacheStatistics& constant() const { return load_store_.constant(); }
  const memory::CacheStatistics& texture() const { return load_store_.texture(); }

 private:
  /// Cycles before this one in which the core, or what is ahead of the lanes, slept are counted.
  void account_for_sleep(Cycle now);
  /// The block of the slot, where registers are freed warp by warp.
  void admit(unsigned slot);
  void begin_cycle();
  void wake_up() override;
  void fall_asleep();
  /// What sleeps between cycles knows of all up to this one.
  void catch_up(Cycle now);
  void report_issue();
  void take_response(const MemoryRequest& response, Cycle now);
  Cycle next_event_of_units(Cycle now) const;
  void retire();

  const MachineSpec& spec_;
  unsigned number_;
  bool takes_part_ = false;  // in the kernel that runs
  bool may_sleep_ = false;   // ahead of the lanes, in that kernel
  bool may_act_ = false;     // the issue stage, in the cycle behind the latest one
  Cycle now_ = 0;            // the latest one
  memory::MemorySystem& memory_;
  const DivergenceMechanism& mechanism_;

  BlockSlots blocks_;
  RegisterHazards registers_;
  OutstandingOperations operations_;
  CompactionTiming compaction_;
  IssueConditions conditions_;
  SplitBuffers buffers_;
  ThreadCensus census_;
  WritebackStage writeback_;

  InFlightPool pool_;
  std::unique_ptr<LaneArray> lanes_;
  IssueStage issue_;
  LoadStoreUnit load_store_;
  TableTraffic tables_;
  DivergenceEffects effects_;
  DispatchStage dispatch_;
  FetchUnit fetch_;
  std::optional<WarpAdmission> admission_;            // where registers are freed warp by warp
  report::LaunchListener* cycle_listener_ = nullptr;  // null = nobody hears of cycles
};

}  // namespace warpfork::gpu
