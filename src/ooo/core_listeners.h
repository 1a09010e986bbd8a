// Who listens to a CPU core.
#pragma once

#include <vector>

#include "ooo/core_listener.h"

namespace warpfork::ooo {

/// An event costs a comparison when nobody listens. Listeners must outlive the last event.
class CoreListeners {
 public:
  void add(CoreListener& listener) { listeners_.push_back(&listener); }

  /// tell([=, &warp](CoreListener& listener) { … }); captured by reference, a local variable would live in memory even
  /// when nobody listens.
  template <class Event>
  void tell(Event&& event) const {
    if (!listeners_.empty()) [[unlikely]]
      tell_all(event);
  }

 private:
  template <class Event>
  [[gnu::cold, gnu::noinline]] void tell_all(const Event& event) const {
    for (CoreListener* const listener : listeners_) event(*listener);
  }

  std::vector<CoreListener*> listeners_;
};

}  // namespace warpfork::ooo
