// A short list that lies within its owner: a vector with a fixed room, as C++26's std::inplace_vector.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "base/error.h"

namespace warpfork {

/// Of small values, which are copied with their owner and cost no allocation. One that gets more than `kRoom` elements
/// throws Error.
template <typename T, std::size_t kRoom>
class InplaceVector {
 public:
  static_assert(std::is_trivially_copyable_v<T> && kRoom < 256);
  using value_type = T;

  InplaceVector() = default;
  InplaceVector(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kRoom; }
  std::size_t size() const { return size_; }
  const T* begin() const { return elements_.data(); }
  const T* end() const { return begin() + size_; }
  T* begin() { return elements_.data(); }
  T* end() { return begin() + size_; }
  const T& operator[](std::size_t index) const { return elements_[index]; }
  T& operator[](std::size_t index) { return elements_[index]; }
  /// Throws Error if there is none.
  const T& at(std::size_t index) const {
    if (index >= size()) throw Error("a list of {} elements has no element {}", size(), index);
    return elements_[index];
  }
  const T& front() const { return elements_.front(); }
  const T& back() const { return elements_[size_ - 1]; }

  void push_back(const T& element) {
    if (full()) throw Error("a list of at most {} elements would get one more", kRoom);
    elements_[size_++] = element;
  }
  void clear() { size_ = 0; }

  bool operator==(const InplaceVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::array<T, kRoom> elements_{};
  std::uint8_t size_ = 0;
};

}  // namespace warpfork
