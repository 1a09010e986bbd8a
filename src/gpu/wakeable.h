// Who sleeps while others work, and is woken before they change what it looks at.
#pragma once

namespace warpfork::gpu {

class Wakeable {
 public:
  bool is_asleep() const { return asleep_; }
  void wake() {
    if (asleep_) [[unlikely]]
      wake_up();
  }

 protected:
  ~Wakeable() = default;
  /// It is no longer asleep when this returns.
  virtual void wake_up() = 0;

  bool asleep_ = false;
};

}  // namespace warpfork::gpu
