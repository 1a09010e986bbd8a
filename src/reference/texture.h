// How a texture is read (CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA, "tex", "tld4").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reference/image_operands.h"
#include "reference/thread.h"

namespace warpfork::reference {

/// A texture at the coordinates of one thread. Results are four elements of 32 bits, channels that the texture lacks
/// being zero. The thread and the operands must outlive it.
class Texture {
 public:
  using Texel = std::array<std::uint32_t, 4>;

  Texture(const Thread& thread, const ImageOperands& operands);

  /// Coordinates of type .s32 number the texels.
  Texel at_integers() const;
  /// Coordinates of type .f32: the nearest texel, or those around weighted.
  Texel at_floats() const;
  /// tld4: one channel of the four texels around, counterclockwise from the lower left.
  Texel gathered(std::size_t channel) const;

 private:
  using Position = std::array<std::int64_t, 3>;  // of a texel, also far outside

  float coordinate(unsigned dimension) const;
  /// In 256ths of a texel from the middle of texel 0 on.
  Position between_texels() const;

  std::optional<std::int64_t> addressed(std::int64_t texel, unsigned dimension) const;
  /// Within the texture; none means the border.
  std::optional<Position> addressed(const Position& position) const;

  Texel texel(const Position& position) const;
  Texel weighted(const Position& fixed) const;
  std::uint32_t channel_bits(const Position& position, std::size_t channel) const;
  double channel_number(const Position& position, std::size_t channel) const;
  std::uint64_t stored_bits(const Position& inside, std::size_t channel) const;

  bool is_fraction() const;
  bool gives_floats() const;
  double fraction(std::uint64_t bits) const;

  const Thread& thread_;
  const ImageOperands& operands_;
  const simt::Image& image_;
  Position extents_;
  std::int64_t layer_;  // 0 where there are none
};

}  // namespace warpfork::reference
