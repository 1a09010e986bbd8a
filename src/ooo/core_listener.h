// What a CPU core tells of the µops on their way through it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ooo/core.h"
#include "ooo/fetched.h"
#include "ooo/paths/path_table.h"
#include "ooo/rename/pirat.h"
#include "ooo/rename/renamed_uop.h"

namespace warpfork::ooo {

/// Hears what becomes of instructions and µops, in the order in which it happens: cycles never go back, and a warp's
/// µops enter and commit in program order on an out-of-order core.
///
/// An instruction is known by its number in its warp's front end (one that was taken back leaves its number to
/// another), a µop by a number that no other µop of the core ever has, ascending. References are valid during the call.
class CoreListener {
 public:
  struct Fetch {
    Cycle at;
    unsigned warp;
    std::uint64_t number;
    const Fetched& instruction;
  };
  /// A µop leaves the fetch buffer: it is renamed or, on a core that does not rename, issued.
  struct Entry {
    Cycle at;
    unsigned warp;
    std::uint64_t instruction, uop;
    const Fetched& fetched;
    const x86::Uop* operation = nullptr;  ///< null: a merge, a cuop, or threads that part at an event
    const RenamedUop* renamed = nullptr;  ///< null: a merge, or not renamed; its merges are told as µops of their own
    const Merge* merge = nullptr;         ///< null: not a merge
    const Pirat* table = nullptr;         ///< null: not renamed
  };
  struct Commit {
    Cycle at;
    unsigned warp;
    std::uint64_t uop;
    LaneMask lanes;                ///< that its path has in the end; of a merge by a path: that select `leading`
    const Pirat* table = nullptr;  ///< before the commit; null: not renamed
  };

  virtual ~CoreListener() = default;

  /// Before all else, for each warp. `table` is null if the core does not rename.
  virtual void started(unsigned /*warp*/, const PathTable& /*paths*/, const Pirat* /*table*/) {}
  virtual void fetched(const Fetch&) {}
  virtual void entered(const Entry&) {}
  /// What depends on the µop may issue from cycle `done` on.
  virtual void issued(Cycle /*at*/, std::uint64_t /*uop*/, Cycle /*done*/) {}
  /// A buop or cuop has computed its masks, which `paths` now holds.
  virtual void resolved(Cycle /*at*/, unsigned /*warp*/, std::uint64_t /*instruction*/, const PathTable& /*paths*/) {}
  /// A core that does not rename tells this together with the issue: nothing takes the µop back.
  virtual void committed(const Commit&) {}
  /// An instruction is taken back, with those of its µops that have entered and not committed. Where µops are renamed
  /// it is the warp's youngest.
  virtual void flushed(Cycle /*at*/, unsigned /*warp*/, std::uint64_t /*instruction*/) {}
};

/// A core that tells. Costs a comparison per event when nobody listens.
class ListenedCore : public Core {
 public:
  /// Before the first cycle. The listener must outlive the core's last cycle.
  void listen(CoreListener& listener) {
    listeners_.push_back(&listener);
    introduce(listener);
  }

 protected:
  virtual void introduce(CoreListener& listener) const = 0;

  /// tell([=, &warp](CoreListener& listener) { … }); captured by reference, a local variable would live in memory even
  /// when nobody listens.
  template <class Event>
  void tell(Event&& event) const {
    if (!listeners_.empty()) [[unlikely]]
      tell_all(event);
  }
  /// Instructions of the warp from `begin` on are new.
  template <class Front>
  void tell_fetched(const Front& front, unsigned warp, std::uint64_t begin, Cycle now) const {
    tell([=, &front](CoreListener& listener) {
      for (std::uint64_t number = begin; number < front.in_flight().end(); ++number)
        listener.fetched({now, warp, number, front.in_flight()[number]});
    });
  }

 private:
  template <class Event>
  [[gnu::cold, gnu::noinline]] void tell_all(const Event& event) const {
    for (CoreListener* const listener : listeners_) event(*listener);
  }

  std::vector<CoreListener*> listeners_;
};

/// Every core of core_recipes() can be listened to.
inline void listen(Core& core, CoreListener& listener) { dynamic_cast<ListenedCore&>(core).listen(listener); }

}  // namespace warpfork::ooo
