// A first-in first-out queue in one power-of-two array: the buffers between the stages of the memory path.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace warpfork::memory {

/// Grows when it is full, so that limits are the business of its user; once grown it allocates no more.
/// front(), pop() and operator[] need the element to be there.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t expected = 16)
      : mask_(static_cast<std::uint32_t>(std::bit_ceil(expected < 2 ? std::size_t{2} : expected) - 1)),
        slots_(std::make_unique<T[]>(std::size_t{mask_} + 1)) {}

  bool empty() const { return head_ == tail_; }
  std::uint32_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  /// The element `index` places behind the front.
  T& operator[](std::uint32_t index) { return slots_[(head_ + index) & mask_]; }
  const T& operator[](std::uint32_t index) const { return slots_[(head_ + index) & mask_]; }
  void pop() { ++head_; }
  void push(const T& value) {
    if (size() > mask_) [[unlikely]]
      return push_into_more(value);
    slots_[tail_++ & mask_] = value;
  }

 private:
  /// Apart, and the last thing that push() does, so that who pushes need not save what it keeps in registers.
  [[gnu::noinline, gnu::cold]] void push_into_more(T value) {
    grow();
    slots_[tail_++ & mask_] = value;
  }
  void grow() {
    const std::uint32_t count = size();
    auto wider = std::make_unique<T[]>(2 * (std::size_t{mask_} + 1));
    for (std::uint32_t i = 0; i < count; ++i) wider[i] = (*this)[i];
    slots_ = std::move(wider);
    mask_ = mask_ * 2 + 1;
    head_ = 0;
    tail_ = count;
  }

  std::uint32_t mask_;
  std::uint32_t head_ = 0, tail_ = 0;  // count on and wrap around
  std::unique_ptr<T[]> slots_;
};

}  // namespace warpfork::memory
