// Storage for the short arrays of a program's decoded instructions: they are made once and never move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace warpfork::x86 {

template <typename T>
class CodePool {
 public:
  /// A copy of `values` that stays where it is as long as the pool lives.
  std::span<const T> keep(std::span<const T> values) {
    if (values.size() > chunk_size_ - used_) {
      chunk_size_ = std::max(kChunk, values.size());
      chunks_.push_back(std::make_unique<T[]>(chunk_size_));
      used_ = 0;
    }
    if (values.empty()) return {};
    T* const begin = chunks_.back().get() + used_;
    std::copy(values.begin(), values.end(), begin);
    used_ += values.size();
    return {begin, values.size()};
  }

 private:
  static constexpr std::size_t kChunk = 4096;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t chunk_size_ = 0, used_ = 0;  // of the last chunk
};

}  // namespace warpfork::x86
