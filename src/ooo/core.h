// A CPU core that runs recorded threads: what all cores have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "ooo/address_queue.h"
#include "ooo/core_counts.h"
#include "ooo/core_listener.h"
#include "ooo/data_memory.h"
#include "ooo/functional_units.h"
#include "ooo/machine_spec.h"
#include "ooo/predict/predictors.h"
#include "ooo/width_unit.h"

namespace warpfork::ooo {

class WarpFront;

/// Fetches for the warps in turn, one in a cycle. How their instructions issue and commit is the kind of core.
class Core {
 public:
  virtual ~Core() = default;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// One cycle, or a jump to the next in which something can happen. False when all threads have ended. Throws Error
  /// when none can ever go on.
  bool cycle();
  virtual CoreCounts counts() const;

  /// Before the first cycle. The listener must outlive the core's last cycle. An event costs a comparison when nobody
  /// listens.
  void listen(CoreListener& listener) {
    listeners_.push_back(&listener);
    introduce(listener);
  }

 protected:
  /// `wide_vectors`: as FunctionalUnits.
  Core(const MachineSpec& machine, bool wide_vectors);

  /// In the order of the warps' numbers. The front end must live as long as the core.
  void add(WarpFront& front) { fronts_.push_back(&front); }

  /// All stages of a cycle behind fetch, the last one first. Whether anything happened.
  virtual bool run_stages() = 0;
  /// When something can happen, if nothing can now; kNever if nothing ever will.
  virtual Cycle next_event() const = 0;
  /// What the warp has done in this cycle, and does until the next event if the core did nothing.
  virtual CycleCause cause_of(unsigned warp) const = 0;
  virtual void introduce(CoreListener& listener) const = 0;

  /// A load or store issues whose addresses begin at `position`. Returns the cycle in which it is done; `busy` grows to
  /// the cycles for which it keeps the memory port.
  Cycle access(const AddressQueue& queue, std::uint64_t position, unsigned bytes, bool store, bool atomic,
               unsigned& busy);

  /// The first cycle from now on in which a store may issue.
  Cycle store_may_issue_at() const { return store_buffer_.free_at(now_); }

  /// tell([=, &warp](CoreListener& listener) { … }); captured by reference, a local variable would live in memory even
  /// when nobody listens.
  template <class Event>
  void tell(Event&& event) const {
    if (!listeners_.empty()) [[unlikely]]
      tell_all(event);
  }
  /// Whether the µop at `index` of the instruction takes some of the widths of the stages behind decoding: each does,
  /// or an instruction's last one (of a rep every time).
  bool takes_width(const x86::StaticInstruction& instruction, std::size_t index) const {
    return widths_ != WidthUnit::Instructions || index + 1 == instruction.uops.size();
  }
  /// A buop or cuop has computed its masks.
  void tell_resolved(unsigned warp, std::uint64_t instruction) const;
  /// Path tables and the place of each thread.
  std::string describe() const;

  MachineSpec machine_;
  WidthUnit widths_;
  Predictors predictors_;
  FunctionalUnits units_;
  Cycle now_ = 0;
  CoreCounts counts_;  // but for those of the front ends and the memory

 private:
  bool fetch();
  void pass(Cycle next);

  template <class Event>
  [[gnu::cold, gnu::noinline]] void tell_all(const Event& event) const {
    for (CoreListener* const listener : listeners_) event(*listener);
  }

  DataMemory memory_;
  std::vector<WarpFront*> fronts_;        // by warp
  std::vector<std::uint64_t> addresses_;  // scratch of one access
  TimedEntries store_buffer_;
  std::vector<CoreListener*> listeners_;
};

}  // namespace warpfork::ooo
