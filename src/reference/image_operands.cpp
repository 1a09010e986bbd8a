#include "reference/image_operands.h"

#include <bit>
#include <span>

#include "base/error.h"
#include "ptx/operand_elements.h"

namespace warpfork::reference {
namespace {

using ptx::Modifier;
using ptx::ScalarType;
using ptx::StateSpace;

struct Geometry {
  Modifier word;
  unsigned dimensions;
  bool is_layered;
};

constexpr Geometry kGeometries[] = {{Modifier::Geometry1d, 1, false},
                                    {Modifier::Geometry2d, 2, false},
                                    {Modifier::Geometry3d, 3, false},
                                    {Modifier::A1d, 1, true},
                                    {Modifier::A2d, 2, true}};

const Geometry& geometry_of(const Thread& thread) {
  for (const Geometry& geometry : kGeometries)
    if (thread.instruction().has(geometry.word)) return geometry;
  thread.reject("not supported for this geometry");
}

std::uint64_t handle_of(const Thread& thread, const ptx::Operand& operand) {
  const auto* name = operand.as<ptx::SymbolOperand>();
  if (name == nullptr) return thread.read(operand, ScalarType::U64);
  const Place* place = thread.block().placement.find(thread.function(), name->name);
  if (place == nullptr || place->space != StateSpace::Global)
    thread.reject("'" + name->name + "' is no texture or surface reference");
  return place->address;
}

simt::Image image_at(const Thread& thread, std::uint64_t handle, std::uint32_t kind) {
  std::array<std::uint64_t, sizeof(simt::Image) / 8> words{};
  const bool is_memory = handle % 8 == 0 && thread.block().placement.memory().find(handle, sizeof words) != nullptr;
  if (is_memory)
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = thread.load({StateSpace::Global, handle + 8 * i}, 8);
  if (static_cast<std::uint32_t>(words[0]) != kind)
    thread.reject(
        fmt::format("handle {:#x} is that of no {}", handle, kind == simt::Image::kTexture ? "texture" : "surface"));
  return std::bit_cast<simt::Image>(words);
}

}  // namespace

ImageOperands read_image_operands(const Thread& thread, std::size_t index, ScalarType coordinate, std::uint32_t kind) {
  const Geometry& geometry = geometry_of(thread);
  const auto* tuple = thread.operand(index).as<ptx::VectorOperand>();
  if (tuple == nullptr || tuple->elements.size() != 2)
    thread.reject("not supported but with a handle and its coordinates in brackets");
  const std::span<const ptx::Operand> elements = ptx::elements_of(tuple->elements[1]);
  const std::size_t first = geometry.is_layered ? 1 : 0;
  if (elements.size() < first + geometry.dimensions) thread.reject("too few coordinates");

  ImageOperands operands;
  operands.image = image_at(thread, handle_of(thread, tuple->elements[0]), kind);
  operands.dimensions = geometry.dimensions;
  if (geometry.is_layered) operands.layer = static_cast<std::uint32_t>(thread.read(elements[0], ScalarType::U32));
  for (unsigned d = 0; d < geometry.dimensions; ++d)
    operands.coordinates[d] = static_cast<std::uint32_t>(thread.read(elements[first + d], coordinate));
  return operands;
}

std::uint64_t image_address(const simt::Image& image, std::uint64_t x, std::uint64_t row, std::uint64_t slice) {
  if (image.layout == simt::Image::Layout::Buffer) return image.address + x;
  if (image.layout == simt::Image::Layout::Pitched) return image.address + row * image.pitch + x;
  // Blocks of 64 bytes by eight rows; by one row in an array that has no more.
  const std::uint64_t block_rows = image.height == 1 ? 1 : 8, block_bytes = 64 * block_rows;
  const std::uint64_t blocks_across = (std::uint64_t{image.width} * image.texel_bytes() + 63) / 64;
  const std::uint64_t blocks_down = (image.height + block_rows - 1) / block_rows;
  const std::uint64_t block = (slice * blocks_down + row / block_rows) * blocks_across + x / 64;
  return image.address + block * block_bytes + row % block_rows * 64 + x % 64;
}

}  // namespace warpfork::reference
