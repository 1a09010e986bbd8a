// PTX ISA, "Texture Instructions" (tex, tld4) and "Surface Instructions" (suld, sust).
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "reference/execute.h"
#include "reference/image_operands.h"
#include "reference/texture.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using simt::Image;

bool is_one_of(ScalarType type, std::initializer_list<ScalarType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Geometries are left to read_image_operands().
void check_words(const Thread& thread, std::initializer_list<Modifier> words) {
  for (const Modifier word : thread.instruction().modifiers) {
    const bool is_geometry = word >= Modifier::Geometry1d && word <= Modifier::A2dms;
    if (!is_geometry && std::find(words.begin(), words.end(), word) == words.end())
      thread.reject(fmt::format("not supported with .{}", ptx::to_string(word)));
  }
}

/// `.v4.u32.f32`: four results of 32 bits, and the coordinates' type.
void check_texture_types(const Thread& thread, std::initializer_list<ScalarType> coordinates) {
  const Instruction& instruction = thread.instruction();
  const bool is_known = instruction.types.size() == 2 && instruction.vector_width == 4 &&
                        is_one_of(instruction.types[0], {ScalarType::U32, ScalarType::S32, ScalarType::F32}) &&
                        is_one_of(instruction.types[1], coordinates);
  if (!is_known) thread.reject("not supported for these types");
}

void write_texel(Thread& thread, const Texture::Texel& texel) {
  const std::span<const ptx::Operand> results = thread.elements(0);
  for (std::size_t i = 0; i < texel.size(); ++i) thread.write(results[i], texel[i], thread.instruction().types[0]);
}

/// There is one mip level, whatever .level or .grad ask for.
void fetch_texel(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  check_words(thread, {Modifier::Level, Modifier::Grad});
  check_texture_types(thread, {ScalarType::S32, ScalarType::F32});
  const std::size_t operands = instruction.has(Modifier::Level) ? 3 : instruction.has(Modifier::Grad) ? 4 : 2;
  if (instruction.operands.size() != operands) thread.reject("offsets and depth comparison are not supported");
  const ImageOperands image = read_image_operands(thread, 1, instruction.types[1], Image::kTexture);
  const Texture texture(thread, image);
  write_texel(thread, instruction.types[1] == ScalarType::F32 ? texture.at_floats() : texture.at_integers());
}

void gather_texels(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  constexpr Modifier kChannels[] = {Modifier::R, Modifier::G, Modifier::B, Modifier::A};
  check_words(thread, {Modifier::R, Modifier::G, Modifier::B, Modifier::A});
  check_texture_types(thread, {ScalarType::F32});
  if (instruction.operands.size() != 2) thread.reject("offsets and depth comparison are not supported");
  const auto* channel =
      std::find_if(std::begin(kChannels), std::end(kChannels), [&](Modifier word) { return instruction.has(word); });
  if (channel == std::end(kChannels)) thread.reject("it takes one of .r .g .b .a");
  const ImageOperands image = read_image_operands(thread, 1, ScalarType::F32, Image::kTexture);
  if (image.dimensions != 2) thread.reject("not supported for this geometry");
  write_texel(thread, Texture(thread, image).gathered(static_cast<std::size_t>(channel - kChannels)));
}

/// Where an access of `bytes` bytes happens; nowhere if it is outside under .zero.
std::optional<Place> surface_place(const Thread& thread, std::size_t index, unsigned bytes) {
  const ImageOperands operands = read_image_operands(thread, index, ScalarType::S32, Image::kSurface);
  const Image& image = operands.image;
  const std::int64_t row_bytes = std::int64_t{image.width} * image.texel_bytes();
  std::int64_t x = sign_extend(operands.coordinates[0], 32), y = sign_extend(operands.coordinates[1], 32);
  std::int64_t z = operands.layer ? std::int64_t{*operands.layer} : sign_extend(operands.coordinates[2], 32);
  if (x % bytes != 0) thread.reject(fmt::format("byte {} of the surface's rows is misaligned", x));

  const bool is_inside = 0 <= x && x + bytes <= row_bytes && 0 <= y && y < image.height && 0 <= z && z < image.depth;
  if (!is_inside) {
    if (thread.instruction().has(Modifier::Zero)) return std::nullopt;
    if (thread.instruction().has(Modifier::Trap) || row_bytes < bytes)
      thread.reject(fmt::format("byte {}, row {}, slice {} is out of the surface's bounds", x, y, z));
    x = std::clamp<std::int64_t>(x, 0, row_bytes / bytes * bytes - bytes);
    y = std::clamp<std::int64_t>(y, 0, image.height - 1);
    z = std::clamp<std::int64_t>(z, 0, image.depth - 1);
  }
  const std::uint64_t address =
      image_address(image, static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
  return Place{ptx::StateSpace::Global, address};
}

void check_surface_words(const Thread& thread) {
  const Instruction& instruction = thread.instruction();
  check_words(thread, {Modifier::B, Modifier::Ca, Modifier::Cg, Modifier::Cs, Modifier::Cv, Modifier::Wb, Modifier::Wt,
                       Modifier::Trap, Modifier::Clamp, Modifier::Zero});
  if (!instruction.has(Modifier::B)) thread.reject("not supported without .b");
  if (!instruction.has(Modifier::Trap) && !instruction.has(Modifier::Clamp) && !instruction.has(Modifier::Zero))
    thread.reject("it takes one of .trap .clamp .zero");
  const bool is_known =
      instruction.types.size() == 1 &&
      is_one_of(instruction.types[0], {ScalarType::B8, ScalarType::B16, ScalarType::B32, ScalarType::B64});
  if (!is_known) thread.reject("not supported for these types");
}

void load_from_surface(Thread& thread) {
  check_surface_words(thread);
  const ScalarType type = thread.instruction().types[0];
  const unsigned count = thread.instruction().vector_width, bytes = ptx::bytes_of(type);
  const std::span<const ptx::Operand> results = thread.elements(0);
  const auto place = surface_place(thread, 1, count * bytes);
  std::vector<std::uint64_t> values(count, 0);
  for (unsigned i = 0; i < count && place; ++i)
    values[i] = thread.load({place->space, place->address + std::uint64_t{i} * bytes}, bytes);
  for (unsigned i = 0; i < count; ++i) thread.write(results[i], values[i], type);
}

void store_to_surface(Thread& thread) {
  check_surface_words(thread);
  const ScalarType type = thread.instruction().types[0];
  const unsigned count = thread.instruction().vector_width, bytes = ptx::bytes_of(type);
  const std::span<const ptx::Operand> values = thread.elements(1);
  const auto place = surface_place(thread, 0, count * bytes);
  for (unsigned i = 0; i < count && place; ++i)
    thread.store({place->space, place->address + std::uint64_t{i} * bytes}, bytes, thread.read(values[i], type));
}

}  // namespace

void execute_image(Thread& thread) {
  switch (thread.instruction().opcode) {
    case Opcode::Tex:
      return fetch_texel(thread);
    case Opcode::Tld4:
      return gather_texels(thread);
    case Opcode::Suld:
      return load_from_surface(thread);
    case Opcode::Sust:
      return store_to_surface(thread);
    default:
      thread.reject("not supported");
  }
}

}  // namespace warpfork::reference
