// Who listens to a CPU core.
#pragma once

#include <vector>

#include "ooo/core_listener.h"

namespace warpfork::ooo {

/// Listeners must outlive the last event.
class CoreListeners {
 public:
  void add(CoreListener& listener) { listeners_.push_back(&listener); }

  /// Asked before what happens often is told: then it costs a comparison when nobody listens.
  bool any() const { return !listeners_.empty(); }
  /// tell([=, &warp](CoreListener& listener) { … }); captured by reference, a local variable would live in memory even
  /// when nobody listens.
  template <class Event>
  [[gnu::cold, gnu::noinline]] void tell(const Event& event) const {
    for (CoreListener* const listener : listeners_) event(*listener);
  }

 private:
  std::vector<CoreListener*> listeners_;
};

}  // namespace warpfork::ooo
