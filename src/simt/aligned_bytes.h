// Memory for the lane handlers' vector loads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

namespace warpfork::simt {

/// Zero-filled bytes at a boundary at which vector loads do not straddle cache lines.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t bytes)
      : bytes_(bytes),
        data_(static_cast<std::byte*>(::operator new (std::max<std::size_t>(bytes, 1), std::align_val_t{kBoundary}))) {
    clear();
  }
  ~AlignedBytes() { ::operator delete (data_, std::align_val_t{kBoundary}); }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  void clear() { std::memset(data_, 0, bytes_); }
  std::byte* data() { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  static constexpr std::size_t kBoundary = 64;

  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace warpfork::simt
