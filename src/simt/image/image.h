// A texture or a surface as device code names it: what lies at the address that is its handle (CUDA C++ Programming
// Guide, "Texture and Surface Memory").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfork::simt {

/// One record in device memory; its address is the texture or surface object, and a PTX variable of the types .texref
/// and .surfref is one. Nothing changes it while a kernel runs.
struct Image {
  /// No other memory is likely to begin so.
  static constexpr std::uint32_t kTexture = 0x58455457, kSurface = 0x46525357;  // "WTEX", "WSRF"

  enum class Channel : std::uint8_t { Unsigned, Signed, Float };
  enum class Layout : std::uint8_t {
    Buffer,   // one row of texels; coordinates beyond its end read zeros
    Pitched,  // rows, each `pitch` bytes behind the one before
    Array,    // see image_layout.h
  };
  enum class Address : std::uint8_t { Wrap, Clamp, Mirror, Border };  // of a coordinate outside of the texture

  std::uint32_t kind = 0;  // kTexture, kSurface; anything else is no image
  Channel channel = Channel::Unsigned;
  std::uint8_t channels = 0;       // 1, 2 or 4
  std::uint8_t channel_bytes = 0;  // 1, 2 or 4
  Layout layout = Layout::Buffer;
  std::uint64_t address = 0;                       // of the first texel
  std::uint32_t width = 0, height = 1, depth = 1;  // texels; depth counts slices or layers
  std::uint32_t pitch = 0;                         // bytes; of Pitched alone

  // How a texture is read.
  std::array<Address, 3> address_mode{Address::Clamp, Address::Clamp, Address::Clamp};
  bool is_filtered = false;      // linearly; else the nearest texel is read
  bool is_normalized = false;    // coordinates go from 0 to 1
  bool reads_fractions = false;  // integers of 8 and 16 bits as floats from 0 or -1 to 1
  std::array<std::uint8_t, 2> reserved{};
  std::array<float, 4> border{};  // what is read outside under Border; of integer texels its bits are integers

  unsigned texel_bytes() const { return channels * channel_bytes; }
};
static_assert(sizeof(Image) == 56);

/// What a .texref or .surfref variable takes, and an object's record.
inline constexpr std::size_t kImageBytes = 64;

}  // namespace warpfork::simt
