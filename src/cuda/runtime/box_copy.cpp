#include "cuda/runtime/box_copy.h"

#include <algorithm>
#include <limits>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

namespace {

constexpr std::uint64_t kEndlessRow = std::numeric_limits<std::uint64_t>::max();

cudaMemcpyKind corrected(cudaMemcpyKind kind, bool to_array, bool from_array) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) throw ApiError(cudaErrorInvalidMemcpyDirection);
  if (kind == cudaMemcpyDefault) return kind;
  const bool from_device = from_array || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool to_device = to_array || kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  if (from_device) return to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  return to_device ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

/// Whether [at, at + size) is within [0, whole).
bool holds_range(std::uint64_t whole, std::uint64_t at, std::uint64_t size) {
  return at <= whole && size <= whole - at;
}

}  // namespace

BoxEnd::BoxEnd(const CudaArray& array, const cudaPos& at)
    : memory_(array.address),
      at_(at),
      row_bytes_(array.row_bytes()),
      rows_(array.rows()),
      slices_(array.slices()),
      layout_(array.layout()) {}

BoxEnd::BoxEnd(const cudaPitchedPtr& memory, const cudaPos& at)
    : memory_(reinterpret_cast<std::uintptr_t>(memory.ptr)),
      at_(at),
      row_bytes_(memory.pitch),
      rows_(memory.ysize),
      slices_(1) {}

BoxEnd::BoxEnd(const void* memory)
    : memory_(reinterpret_cast<std::uintptr_t>(memory)), at_{0, 0, 0}, row_bytes_(kEndlessRow), rows_(1), slices_(1) {}

void* BoxEnd::at(std::uint64_t x, std::uint64_t row, std::uint64_t slice) const {
  x += at_.x;
  row += at_.y;
  slice += at_.z;
  const std::uint64_t offset = layout_ ? layout_->offset(x, row, slice) : (slice * rows_ + row) * row_bytes_ + x;
  return reinterpret_cast<void*>(memory_ + offset);
}

std::uint64_t BoxEnd::together(std::uint64_t x) const {
  return layout_ ? simt::ArrayLayout::kBlockBytes - (at_.x + x) % simt::ArrayLayout::kBlockBytes : kEndlessRow;
}

void BoxEnd::require_room(const cudaExtent& box) const {
  if (!layout_) {
    const bool is_without_pitch = row_bytes_ == 0 && box.height == 1 && box.depth == 1;
    if (box.width > row_bytes_ && !is_without_pitch) throw ApiError(cudaErrorInvalidPitchValue);
  } else if (!holds_range(row_bytes_, at_.x, box.width) || !holds_range(rows_, at_.y, box.height) ||
             !holds_range(slices_, at_.z, box.depth)) {
    throw ApiError(cudaErrorInvalidValue);
  }
}

void BoxEnd::advance(std::uint64_t bytes) {
  at_.x += bytes;
  if (at_.x != row_bytes_) return;
  at_.x = 0;
  ++at_.y;
}

void copy_box(MemorySpace& memory, const BoxEnd& to, const BoxEnd& from, const cudaExtent& box, cudaMemcpyKind kind) {
  kind = corrected(kind, to.is_array(), from.is_array());
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  to.require_room(box);
  from.require_room(box);
  for (std::uint64_t slice = 0; slice < box.depth; ++slice)
    for (std::uint64_t row = 0; row < box.height; ++row)
      for (std::uint64_t x = 0, bytes = 0; x < box.width; x += bytes) {
        bytes = std::min({box.width - x, to.together(x), from.together(x)});
        memory.copy(to.at(x, row, slice), from.at(x, row, slice), bytes, kind);
      }
}

void copy_run(MemorySpace& memory, BoxEnd to, BoxEnd from, std::uint64_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  for (const BoxEnd* end : {&to, &from}) {
    end->require_room({1, 1, 1});
    if (bytes > end->slice_left()) throw ApiError(cudaErrorInvalidValue);
  }
  while (bytes != 0) {
    const std::uint64_t piece = std::min({bytes, to.row_left(), from.row_left()});
    copy_box(memory, to, from, {piece, 1, 1}, kind);
    to.advance(piece);
    from.advance(piece);
    bytes -= piece;
  }
}

}  // namespace warpfork::cuda
