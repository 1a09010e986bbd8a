// The return address stack, one per path: a value, copied where paths part and put back after a misprediction.
#pragma once

#include <array>
#include <cstdint>

namespace warpfork::ooo {

/// Sixteen addresses; a deeper call overwrites the oldest.
class ReturnStack {
 public:
  static constexpr unsigned kEntries = 16;

  void push(std::uint64_t address) {
    top_ = (top_ + 1) % kEntries;
    addresses_[top_] = address;
    if (count_ < kEntries) ++count_;
  }

  /// 0 if the stack is empty, or the address was overwritten.
  std::uint64_t top() const { return count_ == 0 ? 0 : addresses_[top_]; }

  /// Returns what was top().
  std::uint64_t pop() {
    if (count_ == 0) return 0;
    const std::uint64_t address = addresses_[top_];
    top_ = (top_ + kEntries - 1) % kEntries;
    --count_;
    return address;
  }

 private:
  std::array<std::uint64_t, kEntries> addresses_{};
  std::uint8_t top_ = 0, count_ = 0;
};

}  // namespace warpfork::ooo
