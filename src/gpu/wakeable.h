// Who sleeps while others work, and is woken before they change what it looks at.
#pragma once

namespace warpfork::gpu {

class Wakeable {
 public:
  void wake() {
    if (!asleep_) [[likely]]
      return;
    asleep_ = false;
    wake_up();
  }

 protected:
  ~Wakeable() = default;
  /// It sleeps no longer, and is to do what it has not done meanwhile.
  virtual void wake_up() = 0;

  bool asleep_ = false;
};

}  // namespace warpfork::gpu
