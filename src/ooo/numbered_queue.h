// A queue whose elements keep their numbers: what is in flight, from the oldest to the youngest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfork::ooo {

/// Elements are numbered on from 0 and stay at their number until they are dropped, the oldest when they are done with,
/// the youngest when they are taken back (their numbers are then given again). Grows when it is full; once grown it
/// allocates no more. References are valid until the next push().
template <class T>
class NumberedQueue {
 public:
  explicit NumberedQueue(std::size_t expected = 64) : slots_(expected), mask_(expected - 1) {}  // a power of two

  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  std::uint64_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }

  T& operator[](std::uint64_t number) { return slots_[number & mask_]; }
  const T& operator[](std::uint64_t number) const { return slots_[number & mask_]; }

  /// The new youngest element, which holds what an earlier one left there.
  T& push() {
    if (size() > mask_) grow();
    return (*this)[end_++];
  }
  /// Likewise, as the initialisers of T's members make it. In its place: a temporary that is copied costs more than
  /// what is written to it, and so does T(), which clears it first.
  T& push_new() {
    static_assert(std::is_trivially_destructible_v<T>);  // what was left there just goes
    return *new (static_cast<void*>(&push())) T;
  }
  /// Takes the element out. Those that are older get the next number: cheap where they are few, whatever is behind.
  void erase(std::uint64_t number) {
    for (; number != begin_; --number) (*this)[number] = (*this)[number - 1];
    drop_before(number + 1);
  }
  void drop_before(std::uint64_t number) { begin_ = number; }
  void drop_from(std::uint64_t number) { end_ = number; }
  void clear() { begin_ = end_; }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    std::vector<T> wider(2 * slots_.size());
    for (std::uint64_t number = begin_; number < end_; ++number)
      wider[number & (wider.size() - 1)] = std::move((*this)[number]);
    slots_ = std::move(wider);
    mask_ = slots_.size() - 1;
  }

  std::vector<T> slots_;
  std::uint64_t mask_;  // their number less one: asked of the vector it would cost a division by an element's size
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace warpfork::ooo
