// A first-in first-out queue in one power-of-two array: the buffers between the stages of the memory path.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace warpfork::memory {

/// Grows when it is full, so that limits are the business of its user; once grown it allocates no more.
/// front(), pop() and operator[] need an element to be there.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t expected = 16) : slots_(std::bit_ceil(expected < 2 ? std::size_t{2} : expected)) {}

  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & (slots_.size() - 1)]; }
  const T& front() const { return slots_[head_ & (slots_.size() - 1)]; }
  void pop() { ++head_; }
  void push(const T& value) {
    if (size() == slots_.size()) [[unlikely]]
      grow();
    slots_[tail_++ & (slots_.size() - 1)] = value;
  }
  void clear() { head_ = tail_ = 0; }

 private:
  void grow() {
    std::vector<T> wider(slots_.size() * 2);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) wider[i] = slots_[(head_ + i) & (slots_.size() - 1)];
    slots_.swap(wider);
    head_ = 0;
    tail_ = count;
  }

  std::vector<T> slots_;
  std::size_t head_ = 0, tail_ = 0;
};

}  // namespace warpfork::memory
