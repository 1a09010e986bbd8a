// Copies of boxes between memory and CUDA arrays (CUDA Runtime API, "Memory Management", cudaMemcpy3D).
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <optional>

#include "cuda/runtime/cuda_array.h"
#include "cuda/runtime/memory_space.h"

namespace warpfork::cuda {

/// Where a box begins, in an array or in memory whose rows lie a pitch apart. All x, widths and pitches are in bytes
/// here.
class BoxEnd {
 public:
  BoxEnd(const CudaArray& array, const cudaPos& at);
  /// `memory.ysize` rows are a slice.
  BoxEnd(const cudaPitchedPtr& memory, const cudaPos& at);
  /// Memory without rows.
  explicit BoxEnd(const void* memory);

  bool is_array() const { return layout_.has_value(); }
  /// Of one byte of the box, and how many follow it at the next addresses.
  void* at(std::uint64_t x, std::uint64_t row, std::uint64_t slice) const;
  std::uint64_t together(std::uint64_t x) const;
  /// Throws ApiError: cudaErrorInvalidPitchValue for rows that are longer than the pitch, which a single row may
  /// leave 0, cudaErrorInvalidValue for a box that an array does not hold. What lies in memory the copy finds out.
  void require_room(const cudaExtent& box) const;

  /// Of the row, from the beginning of the box on.
  std::uint64_t row_left() const { return row_bytes_ - at_.x; }
  /// Of the slice.
  std::uint64_t slice_left() const { return (rows_ - at_.y) * row_bytes_ - at_.x; }
  /// `bytes` on: behind the last byte of a row comes the next row. No further than the row's end.
  void advance(std::uint64_t bytes);

 private:
  std::uintptr_t memory_;
  cudaPos at_;
  std::uint64_t row_bytes_, rows_, slices_;  // memory has slices without end
  std::optional<simt::ArrayLayout> layout_;  // of an array
};

/// `kind` says on which side memory is; that arrays are on the device is known, and what `kind` says of them is
/// disregarded, as cudaMemcpy3D does. Throws ApiError as MemorySpace::copy, too.
void copy_box(MemorySpace& memory, const BoxEnd& to, const BoxEnd& from, const cudaExtent& box, cudaMemcpyKind kind);
/// So many bytes one after the other: where a row of an array ends they go on with the next one of the same slice.
void copy_run(MemorySpace& memory, BoxEnd to, BoxEnd from, std::uint64_t bytes, cudaMemcpyKind kind);

}  // namespace warpfork::cuda
