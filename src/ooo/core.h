// A CPU core that runs recorded threads: what all cores have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "ooo/core_counts.h"
#include "ooo/core_listeners.h"
#include "ooo/data_memory.h"
#include "ooo/front_spec.h"
#include "ooo/functional_units.h"
#include "ooo/machine_spec.h"
#include "ooo/operation_counts.h"
#include "ooo/predict/predictors.h"
#include "ooo/synchronisation.h"
#include "ooo/thread_window.h"
#include "ooo/turns.h"
#include "ooo/width_unit.h"
#include "x86/code.h"

namespace warpfork::ooo {

class AddressQueue;
class WarpFront;

/// Fetches for the warps in turn, one in a cycle. How their instructions issue and commit is the kind of core.
class Core {
 public:
  virtual ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// One cycle, or a jump to the next in which something can happen. False when all threads have ended. Throws Error
  /// when none can ever go on.
  bool cycle();
  virtual CoreCounts counts() const;

  /// Before the first cycle. The listener must outlive the core's last cycle.
  void listen(CoreListener& listener) {
    listeners_.add(listener);
    introduce(listener);
  }

 protected:
  /// `wide_vectors`: as FunctionalUnits. `threads`: warps × threads of them, the first warp's first.
  Core(const MachineSpec& machine, bool wide_vectors, const FrontSpec& front, std::span<ThreadWindow> threads,
       const x86::Code& code, Synchronisation& synchronisation);

  /// All stages of a cycle behind fetch, the last one first. Whether anything happened.
  virtual bool run_stages() = 0;
  /// When something can happen, if nothing can now; kNever if nothing ever will.
  virtual Cycle next_event() const = 0;
  /// So many cycles pass: counts, for each live warp, what it has done in this one, and does until the next event if
  /// the core did nothing.
  virtual void count_causes(Cycle cycles) = 0;
  virtual void introduce(CoreListener& listener) const = 0;

  /// A load or store issues whose addresses begin at `position`. Returns the cycle in which it is done; `busy` grows to
  /// the cycles for which it keeps the memory port.
  Cycle access(const AddressQueue& queue, std::uint64_t position, unsigned bytes, bool store, bool atomic,
               unsigned& busy);

  /// The first cycle from now on in which a store may issue.
  Cycle store_may_issue_at() const { return store_buffer_.free_at(now_); }

  /// The warp's oldest instruction is done with.
  void commit_oldest(unsigned warp);

  /// A buop or cuop has computed its masks.
  void tell_resolved(unsigned warp, std::uint64_t instruction) const;
  /// Path tables and the place of each thread.
  std::string describe() const;

  MachineSpec machine_;
  WidthUnit widths_;
  Predictors predictors_;
  std::vector<std::unique_ptr<WarpFront>> fronts_;  // by warp
  Turns turns_;
  WarpSet live_;  // warps with threads that run
  CoreListeners listeners_;
  FunctionalUnits units_;
  Cycle now_ = 0;
  OperationCounter operations_;
  CoreCounts counts_;  // but for these, and those of the front ends and the memory

 private:
  bool fetch();
  void pass(Cycle next);

  DataMemory memory_;
  std::vector<std::uint64_t> addresses_;  // scratch of one access
  TimedEntries store_buffer_;
};

}  // namespace warpfork::ooo
