// A CPU core that runs recorded threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ooo/core_counts.h"
#include "ooo/core_listener.h"

namespace warpfork::ooo {

class Core {
 public:
  virtual ~Core() = default;
  /// One cycle, or a jump to the next in which something can happen. False when all threads have ended. Throws Error
  /// when none can ever go on.
  virtual bool cycle() = 0;
  virtual CoreCounts counts() const = 0;

  /// Before the first cycle. The listener must outlive the core's last cycle. An event costs a comparison when nobody
  /// listens.
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

}  // namespace warpfork::ooo
