// Where the texels of a CUDA array lie. NVIDIA documents no layout; ours keeps those side by side that are near each
// other in two dimensions, as theirs are known to.
#pragma once

#include <cstdint>

#include "base/aligned.h"
#include "simt/image/image.h"

namespace warpfork::simt {

/// Blocks of 64 bytes by 8 rows, one row of the block behind the other, so that a cache line of 128 bytes holds two;
/// the blocks of a slice from left to right and from top to bottom, slices one after the other. An array of one row has
/// blocks of one row.
class ArrayLayout {
 public:
  static constexpr std::uint64_t kBlockBytes = 64, kBlockRows = 8;

  ArrayLayout(std::uint64_t row_bytes, std::uint64_t rows)
      : has_one_row_(rows == 1),
        blocks_((row_bytes + kBlockBytes - 1) / kBlockBytes),
        slice_bytes_(blocks_ * kBlockBytes * (has_one_row_ ? 1 : aligned(rows, kBlockRows))) {}

  std::uint64_t slice_bytes() const { return slice_bytes_; }
  /// Of byte `x` of a row; what lies up to the end of its 64 bytes follows it.
  std::uint64_t offset(std::uint64_t x, std::uint64_t row, std::uint64_t slice) const {
    if (has_one_row_) return slice * slice_bytes_ + x;
    const std::uint64_t block = row / kBlockRows * blocks_ + x / kBlockBytes;
    return slice * slice_bytes_ + (block * kBlockRows + row % kBlockRows) * kBlockBytes + x % kBlockBytes;
  }

 private:
  bool has_one_row_;
  std::uint64_t blocks_, slice_bytes_;
};

/// Address of byte `x` of a row. All within the image.
inline std::uint64_t texel_address(const Image& image, std::uint64_t x, std::uint64_t row, std::uint64_t slice) {
  switch (image.layout) {
    case Image::Layout::Array:
      return image.address +
             ArrayLayout(std::uint64_t{image.width} * image.texel_bytes(), image.height).offset(x, row, slice);
    case Image::Layout::Pitched:
      return image.address + row * image.pitch + x;
    default:
      return image.address + x;
  }
}

}  // namespace warpfork::simt
