// Host threads simulate the cores of one launch, each core alone for some cycles (docs/adr/0029).
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"
#include "gpu/core_calendar.h"
#include "gpu/host_threads.h"
#include "gpu/launch_options.h"
#include "gpu/machine_spec.h"
#include "memory/memory_system.h"
#include "simt/deferred_accesses.h"
#include "simt/launch.h"

namespace warpfork::gpu {

class Core;

/// Whether cores of the launch may run ahead of one another. They may not where somebody hears of all cores in the
/// order of events, looks at each access, or where device code prints or accesses textures or surfaces.
bool may_run_ahead(const simt::Launch& launch, const LaunchOptions& options);

/// A window is a stretch of cycles in which no core can see what others do in it. At its start the cores run ahead
/// through it, each until something comes up that the others have a part in: its last block ends, or one ends while
/// more are to be dealt out. Then the device goes through the same cycles in its usual order, and where a core has run
/// ahead, what it did there takes effect on device memory and on the memory side (repeat()). So everything happens in
/// the order of cycles and, within a cycle, of cores, as if all cores took turns in each.
///
/// A core that awaits no response is not seen and sees nothing until it reaches out itself: its window may be long. One
/// thread gains by these, too, as the core's state stays in the host's nearest cache, but not by short ones, in which
/// accesses have to be put off.
class RunAhead {
 public:
  using Cores = std::vector<std::unique_ptr<Core>>;

  /// `threads`: the device's own among them.
  RunAhead(const MachineSpec& spec, unsigned threads, const Cores& cores, memory::MemorySystem& memory);

  unsigned threads() const { return threads_.count(); }
  /// What puts off the accesses of each core, by its number.
  simt::DeferredAccesses* accesses() { return accesses_.data(); }
  /// A kernel begins. `at_borders`: see HostThreads::run().
  void begin_kernel(const std::function<void()>* at_borders);

  /// Whether windows may begin in this cycle.
  bool is_time(Cycle now) const { return now >= next_; }
  /// Cores that are not ahead begin a window if that is worth while, which ends before cycle `limit`. In `calendar`
  /// those that have run ahead are due in the first cycle that is to be repeated. `blocks_left`: a core that has room
  /// would get a block.
  void begin_windows(Cycle now, Cycle limit, CoreCalendar& calendar, bool blocks_left);

  /// Whether the core has run cycles that are still to be repeated: those in which it did something that others can
  /// see, and the last. It is then as it will be after that.
  bool is_ahead(unsigned core) const { return are_ahead_ >> core & 1; }
  /// What the core did in this cycle takes effect. Returns when it next has something to do. Throws what it threw.
  Cycle repeat(unsigned core, Cycle now);

 private:
  /// What a core has done in the window.
  struct Ran {
    std::vector<Cycle> cycles;  // to be repeated
    std::size_t repeated = 0;
    Cycle until = 0;      // the window's end, the first cycle behind it
    Cycle last = 0;       // that it has come to
    Cycle wake = kNever;  // after the last
    std::exception_ptr failure;
  };

  Cycle end_if_seen(Cycle now) const;
  Cycle end_if_unseen(Cycle now) const;
  std::uint64_t choose(Cycle now, Cycle limit, const CoreCalendar& calendar);
  void run(unsigned core);
  void run_cycles(unsigned core, Ran& ran);

  const MachineSpec& spec_;
  const Cores& cores_;
  memory::MemorySystem& memory_;
  simt::ChangedMemory changed_;
  std::vector<simt::DeferredAccesses> accesses_;  // by core
  std::vector<Ran> ran_;                          // likewise
  std::uint64_t are_ahead_ = 0;                   // a bit each
  const CoreCalendar* calendar_ = nullptr;        // of the latest windows
  Cycle begin_ = 0, next_ = 0;                    // of these, and when others may begin
  bool blocks_left_ = false;
  const std::function<void()>* at_borders_ = nullptr;
  HostThreads threads_;
};

}  // namespace warpfork::gpu
