// How many register banks there are, and which of them a number chooses.
#pragma once

#include <bit>

namespace warpfork::gpu {

class BankCount {
 public:
  explicit BankCount(unsigned banks) : count_(banks), mask_(std::has_single_bit(banks) ? banks - 1 : 0) {}

  operator unsigned() const { return count_; }
  /// The number modulo the banks, most often without a division.
  template <class Number>
  unsigned turn(Number number) const {
    return static_cast<unsigned>(mask_ != 0 ? number & mask_ : number % count_);
  }

 private:
  unsigned count_, mask_;  // 0 = they are no power of two, or one
};

}  // namespace warpfork::gpu
