// What texture and surface instructions have in common: their geometry and `[handle, {coordinates}]` (PTX ISA, "tex",
// "suld").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptx/types.h"
#include "reference/thread.h"
#include "simt/image/image.h"

namespace warpfork::reference {

/// The image that a thread's current instruction names, and where in it.
struct ImageOperands {
  simt::Image image;
  unsigned dimensions = 1;                     // 1 to 3, the layers being none
  std::optional<std::uint32_t> layer;          // of .a1d and .a2d
  std::array<std::uint32_t, 3> coordinates{};  // bits of x, y, z; 0 for a dimension that the geometry lacks
};

/// Operand `index` is the tuple, its coordinates of type `coordinate` (.s32 or .f32). Throws Error where the geometry
/// or the tuple is not supported, or where the handle is not that of an image of this `kind`.
ImageOperands read_image_operands(const Thread& thread, std::size_t index, ptx::ScalarType coordinate,
                                  std::uint32_t kind);

/// Device address of byte `x` of a row, all of them within the image.
std::uint64_t image_address(const simt::Image& image, std::uint64_t x, std::uint64_t row, std::uint64_t slice);

}  // namespace warpfork::reference
