#include "random_image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace warpfork::simt {
namespace {

using Coordinates = std::array<std::uint32_t, 4>;

struct ImageGeometry {
  const char* word;
  unsigned dimensions;
  bool is_layered;

  unsigned coordinates() const { return dimensions + (is_layered ? 1 : 0); }
};

constexpr std::array<ImageGeometry, 5> kImageGeometries{
    {{"1d", 1, false}, {"2d", 2, false}, {"3d", 3, false}, {"a1d", 1, true}, {"a2d", 2, true}}};

template <typename List>
auto one_of(Random& random, const List& list) {
  return std::data(list)[random() % std::size(list)];
}

/// Numbers of moderate size, else anything that floats can be.
std::uint32_t random_float_texel(Random& random) {
  if (random() % 16 == 0) return random_word(random);
  const auto word = static_cast<std::uint32_t>(random());
  return (word & 0x807fffff) | (110 + word / 0x800000 % 32) << 23;
}

Image random_image(Random& random, const ImageGeometry& geometry) {
  Image image;
  image.kind = Image::kTexture;
  image.channel = one_of(random, std::array{Image::Channel::Unsigned, Image::Channel::Signed, Image::Channel::Float});
  image.channels = one_of(random, std::array<std::uint8_t, 3>{1, 2, 4});
  image.channel_bytes = one_of(random, std::array<std::uint8_t, 3>{1, 2, 4});
  if (image.channel == Image::Channel::Float) image.channel_bytes = std::max<std::uint8_t>(image.channel_bytes, 2);
  image.layout = Image::Layout::Array;
  image.width = static_cast<std::uint32_t>(1 + random() % 24);
  if (geometry.dimensions > 1) image.height = static_cast<std::uint32_t>(1 + random() % 12);
  if (geometry.dimensions > 2 || geometry.is_layered) image.depth = static_cast<std::uint32_t>(1 + random() % 3);
  return image;
}

/// At least as many as any layout of the image takes.
std::vector<std::uint32_t> random_texels(Random& random, const Image& image) {
  const std::uint64_t row_bytes =
      std::max<std::uint64_t>((image.width * image.texel_bytes() + 63) / 64 * 64, image.pitch);
  std::vector<std::uint32_t> words(row_bytes * ((image.height + 7) / 8 * 8) * image.depth / 4);
  const bool floats = image.channel == Image::Channel::Float && image.channel_bytes == 4;
  for (std::uint32_t& word : words) word = floats ? random_float_texel(random) : static_cast<std::uint32_t>(random());
  return words;
}

/// How the image is read, and layouts that only textures have.
void become_texture(Random& random, Image& image, const ImageGeometry& geometry, bool by_number) {
  using Address = Image::Address;
  for (Address& mode : image.address_mode)
    mode = one_of(random, std::array{Address::Wrap, Address::Clamp, Address::Mirror, Address::Border});
  // CUDA makes fractions of integers up to 16 bits, and filters floats alone.
  const bool floats = image.channel == Image::Channel::Float;
  image.reads_fractions = !floats && image.channel_bytes <= 2 && random() % 2 != 0;
  image.is_filtered = (floats || image.reads_fractions) && random() % 2 != 0;
  image.is_normalized = random() % 2 != 0;
  for (float& border : image.border) border = one_of(random, std::array{0.0f, 1.0f, 0.25f, 7.75f, 200.0f});
  const bool may_be_linear = !geometry.is_layered && geometry.dimensions < 3;
  if (may_be_linear && geometry.dimensions == 2 && random() % 3 == 0) {
    image.layout = Image::Layout::Pitched;
    image.pitch = (image.width * image.texel_bytes() + 31) / 32 * 32;
  }
  if (may_be_linear && geometry.dimensions == 1 && by_number && random() % 2 != 0) image.layout = Image::Layout::Buffer;
}

std::uint32_t random_float_coordinate(Random& random, std::uint32_t size, bool is_normalized) {
  const auto n = static_cast<float>(size);
  const auto share = static_cast<float>(random() % 4096) / 4096;
  float x = 0;
  switch (random() % 8) {
    case 0:
      return random_word(random);
    case 1:  // around a texel's side or middle
      x = static_cast<float>(random() % (2 * size + 4)) / 2 - 1;
      x = random() % 2 != 0 ? std::nextafterf(x, 100) : std::nextafterf(x, -100);
      break;
    case 2:
      x = static_cast<float>(random() % (2 * size + 4)) / 2 - 1;
      break;
    case 3:  // some periods away
      x = (share * 10 - 5) * n;
      break;
    case 4:  // about half a 256th from a texel
      x = static_cast<float>(random() % (size + 1)) + 0.5f +
          one_of(random, std::array{-0.5f, 0.5f, 255.4f, 255.6f}) / 256;
      break;
    default:
      x = share * n;
  }
  return std::bit_cast<std::uint32_t>(is_normalized ? x / n : x);
}

std::uint32_t random_number_coordinate(Random& random, std::uint32_t size) {
  if (random() % 6 == 0) return random_word(random);
  return static_cast<std::uint32_t>(random() % (3 * size)) - (random() % 2 != 0 ? size : 0);
}

std::uint32_t random_layer(Random& random, std::uint32_t depth) {
  return random() % 8 == 0 ? random_word(random) : static_cast<std::uint32_t>(random() % (depth + 1));
}

std::vector<Coordinates> random_texture_coordinates(Random& random, const Image& image, const ImageGeometry& geometry,
                                                    bool by_number) {
  const std::array<std::uint32_t, 3> sizes{image.width, image.height, image.depth};
  std::vector<Coordinates> lanes(32);
  for (Coordinates& lane : lanes) {
    unsigned place = 0;
    if (geometry.is_layered) lane[place++] = random_layer(random, image.depth);
    for (unsigned d = 0; d < geometry.dimensions; ++d)
      lane[place++] = by_number ? random_number_coordinate(random, sizes[d])
                                : random_float_coordinate(random, sizes[d], image.is_normalized);
    if (place < 4) lane[3] = static_cast<std::uint32_t>(random());
  }
  return lanes;
}

/// `{%x0, %x1}`; four where PTX wants four, of which the last means nothing.
std::string coordinate_list(const ImageGeometry& geometry) {
  switch (geometry.coordinates()) {
    case 1:
      return "{%x0}";
    case 2:
      return "{%x0, %x1}";
    default:
      return "{%x0, %x1, %x2, %x3}";
  }
}

/// Results of a texture instruction, one of them perhaps discarded.
std::string result_list(Random& random) {
  std::array<std::string, 4> results{"%r0", "%r1", "%r2", "%r3"};
  if (random() % 4 == 0) results[random() % 4] = "_";
  return fmt::format("{{{}}}", fmt::join(results, ", "));
}

/// Perhaps under a guard that holds for some of the threads.
std::string perhaps_guarded(Random& random, const std::string& instruction) {
  if (random() % 4 != 0) return instruction;
  return "setp.lt.s32 %done, %x3, 0; @%done " + instruction;
}

/// An access of a surface: `.v2.b16`.
struct SurfaceAccess {
  unsigned elements, bytes;  // bytes of each

  unsigned size() const { return elements * bytes; }
  std::string words() const {
    return fmt::format("{}.b{}", elements > 1 ? fmt::format(".v{}", elements) : "", 8 * bytes);
  }
  /// `{%h0, %h1}`
  std::string registers() const {
    std::vector<std::string> names;
    for (unsigned i = 0; i < elements; ++i) names.push_back(fmt::format("%{}{}", "hhrd"[std::bit_width(bytes) - 1], i));
    return fmt::format("{{{}}}", fmt::join(names, ", "));
  }
  /// What is in its registers, in %r0 … %r3.
  std::string to_results() const {
    std::string text;
    for (unsigned i = 0; i < elements && bytes != 4; ++i)
      text += bytes == 8 ? fmt::format(" mov.b64 {{%r{}, %r{}}}, %d{};", 2 * i, 2 * i + 1, i)
                         : fmt::format(" cvt.u32.u16 %r{0}, %h{0};", i);
    return text;
  }
  std::string from_constants(Random& random) const {
    std::string text;
    for (unsigned i = 0; i < elements; ++i)
      text += bytes == 8   ? fmt::format("mov.u64 %d{}, {:#x}; ", i, random_long(random))
              : bytes == 4 ? fmt::format("mov.u32 %r{}, {:#x}; ", i, random_word(random))
                           : fmt::format("mov.u16 %h{}, {:#x}; ", i, random() % 65536);
    return text;
  }
};

/// All within bounds, or also around them and far outside.
std::vector<Coordinates> random_surface_coordinates(Random& random, const Image& image, const ImageGeometry& geometry,
                                                    unsigned size, bool all_inside) {
  const auto among = [&](std::uint32_t count) {
    if (all_inside) return static_cast<std::uint32_t>(random() % count);
    if (random() % 8 == 0) return random_word(random);
    return static_cast<std::uint32_t>(random() % (count + 2)) - 1;
  };
  const std::uint32_t places = image.width * image.texel_bytes() / size;
  std::vector<Coordinates> lanes(32);
  for (Coordinates& lane : lanes) {
    unsigned place = 0;
    if (geometry.is_layered) lane[place++] = among(image.depth);
    lane[place++] = among(places) * size;
    if (geometry.dimensions > 1) lane[place++] = among(image.height);
    if (geometry.dimensions > 2) lane[place++] = among(image.depth);
    if (place < 4) lane[3] = static_cast<std::uint32_t>(random());
  }
  return lanes;
}

struct RandomSurface {
  ImageModule module;  // without a body
  ImageGeometry geometry;
  SurfaceAccess access;
  const char* mode;
};

RandomSurface random_surface(Random& random) {
  constexpr std::array<SurfaceAccess, 11> kAccesses{
      {{1, 1}, {2, 1}, {4, 1}, {1, 2}, {2, 2}, {4, 2}, {1, 4}, {2, 4}, {4, 4}, {1, 8}, {2, 8}}};
  RandomSurface surface;
  surface.geometry = one_of(random, kImageGeometries);
  surface.access = one_of(random, kAccesses);
  Image& image = surface.module.image;
  image = random_image(random, surface.geometry);
  image.kind = Image::kSurface;
  // In a shorter row there is no place but outside.
  const unsigned modes = image.width * image.texel_bytes() >= surface.access.size() ? 3 : 1;
  surface.mode = std::array{"zero", "trap", "clamp"}[random() % modes];
  surface.module.words = random_texels(random, image);
  surface.module.coordinates = random_surface_coordinates(random, image, surface.geometry, surface.access.size(),
                                                          surface.mode == std::string("trap"));
  return surface;
}

}  // namespace

ImageModule random_fetch(Random& random) {
  const ImageGeometry geometry = one_of(random, kImageGeometries);
  const bool by_number = random() % 3 == 0;
  ImageModule module;
  module.image = random_image(random, geometry);
  become_texture(random, module.image, geometry, by_number);
  module.words = random_texels(random, module.image);
  module.coordinates = random_texture_coordinates(random, module.image, geometry, by_number);
  const std::uint64_t form = random() % 8;
  const std::string direction = geometry.dimensions == 1   ? "{%x1}"
                                : geometry.dimensions == 2 ? "{%x1, %x2}"
                                                           : "{%x0, %x1, %x2, %x3}";
  module.body =
      perhaps_guarded(random, fmt::format("tex{}.{}.v4.{}.{} {}, [%image, {}]{};",
                                          form == 0   ? ".level"
                                          : form == 1 ? ".grad"
                                                      : "",
                                          geometry.word, one_of(random, std::array{"u32", "s32", "f32"}),
                                          by_number ? "s32" : "f32", result_list(random), coordinate_list(geometry),
                                          form == 0   ? ", %x3"
                                          : form == 1 ? ", " + direction + ", " + direction
                                                      : ""));
  return module;
}

ImageModule random_gather(Random& random) {
  const ImageGeometry geometry = kImageGeometries[random() % 2 != 0 ? 1 : 4];
  ImageModule module;
  module.image = random_image(random, geometry);
  become_texture(random, module.image, geometry, false);
  module.words = random_texels(random, module.image);
  module.coordinates = random_texture_coordinates(random, module.image, geometry, false);
  const unsigned channels = random() % 4 != 0 ? module.image.channels : 4;
  module.body =
      perhaps_guarded(random, fmt::format("tld4.{}.{}.v4.{}.f32 {}, [%image, {}];", "rgba"[random() % channels],
                                          geometry.word, one_of(random, std::array{"u32", "s32", "f32"}),
                                          result_list(random), coordinate_list(geometry)));
  return module;
}

ImageModule random_surface_load(Random& random) {
  RandomSurface surface = random_surface(random);
  surface.module.body = perhaps_guarded(
      random, fmt::format("suld.b.{}{}{}.{} {}, [%image, {}];{}", surface.geometry.word,
                          one_of(random, std::array{"", ".ca", ".cg"}), surface.access.words(), surface.mode,
                          surface.access.registers(), coordinate_list(surface.geometry), surface.access.to_results()));
  return surface.module;
}

ImageModule random_surface_store(Random& random) {
  RandomSurface surface = random_surface(random);
  const std::string constants = surface.access.from_constants(random);
  surface.module.body =
      constants +
      perhaps_guarded(random, fmt::format("sust.b.{}{}{}.{} [%image, {}], {};", surface.geometry.word,
                                          one_of(random, std::array{"", ".wb", ".cg"}), surface.access.words(),
                                          surface.mode, coordinate_list(surface.geometry), surface.access.registers()));
  return surface.module;
}

}  // namespace warpfork::simt
