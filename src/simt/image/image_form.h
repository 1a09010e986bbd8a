// What texture and surface instructions are told besides their results (PTX ISA, "Texture Instructions", "Surface
// Instructions").
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace warpfork::simt {

enum class Geometry : std::uint8_t { Line, Plane, Volume, LineLayers, PlaneLayers };  // .1d, .2d, .3d, .a1d, .a2d
/// What an access outside of a surface does.
enum class Boundary : std::uint8_t { Trap, Clamp, Zero };

/// Instruction::immediate of an image's instruction. Instruction::operand: from [0] on up to four rows of results, or
/// of what is stored; [4] the row of handles.
struct ImageForm {
  static constexpr std::uint32_t kRow = 128;  // bytes of 32 lanes of 32 bits: all rows lie at multiples of it

  Geometry geometry = Geometry::Line;
  bool has_float_coordinates : 1 = false;
  std::uint8_t component : 2 = 0;  // of tld4: which channel
  std::uint8_t elements : 3 = 1;   // of a surface: registers loaded or stored
  Boundary boundary : 2 = Boundary::Trap;
  std::array<std::uint16_t, 3> row{};  // of the coordinates, by number: the layer, if there is one, then x, y, z

  bool has_layer() const { return geometry >= Geometry::LineLayers; }
  unsigned dimensions() const {
    constexpr std::uint8_t kDimensions[] = {1, 2, 3, 1, 2};
    return kDimensions[static_cast<unsigned>(geometry)];
  }
  unsigned coordinates() const { return dimensions() + (has_layer() ? 1 : 0); }

  std::uint64_t bits() const { return std::bit_cast<std::uint64_t>(*this); }
  static ImageForm of(std::uint64_t bits) { return std::bit_cast<ImageForm>(bits); }
};
static_assert(sizeof(ImageForm) == 8);

}  // namespace warpfork::simt
