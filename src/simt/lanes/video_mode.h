// What Instruction::immediate means to video instructions (PTX ISA, "Video Instructions"): one of these, bit for bit.
#pragma once

#include <cstdint>

namespace warpfork::simt {

/// What both kinds have; of the types, and of the dotted words.
struct VideoFlags {
  static constexpr std::uint16_t kSignedA = 1, kSignedB = 2, kSignedResult = 4, kSaturates = 8;
  static constexpr std::uint16_t kAdds = 16, kMinimum = 32, kMaximum = 64;  // with the third source
  static constexpr std::uint16_t kNegatesProduct = 128, kNegatesThird = 256, kPlusOne = 512;
  static constexpr std::uint16_t kShiftsBy7 = 1024, kShiftsBy15 = 2048;
};

/// Of one value: where in a register the part of a, b and the result begins, and how many bits it has.
struct ScalarVideoMode {
  std::uint8_t a_shift = 0, a_bits = 32, b_shift = 0, b_bits = 32, result_shift = 0, result_bits = 32;
  std::uint16_t flags = 0;
};

/// Of pairs and quads: for each part of the result, three bits each and the lowest first, which part of b:a is the one
/// and which the other source; and a bit for whether it is written, or added.
struct SimdVideoMode {
  std::uint16_t a = 0, b = 0, written = 0, flags = 0;
  static constexpr unsigned kPartBits = 3;
};

static_assert(sizeof(ScalarVideoMode) == sizeof(std::uint64_t) && sizeof(SimdVideoMode) == sizeof(std::uint64_t));

}  // namespace warpfork::simt
