#include "reference/byte_float.h"

#include "reference/thread.h"

namespace warpfork::reference {

using ptx::ScalarType;

const ByteFormat* byte_format(ScalarType type) {
  static constexpr ByteFormat kE4m3{{4, 3}, 0x7e, 0x7f, false, 8}, kE5m2{{5, 2}, 0x7b, 0x7f, true, 8},
      kE2m1{{2, 1}, 7, 7, false, 4}, kE2m3{{2, 3}, 31, 31, false, 8}, kE3m2{{3, 2}, 31, 31, false, 8};
  switch (type) {
    case ScalarType::E4m3:
    case ScalarType::E4m3x2:
      return &kE4m3;
    case ScalarType::E5m2:
    case ScalarType::E5m2x2:
      return &kE5m2;
    case ScalarType::E2m1x2:
      return &kE2m1;
    case ScalarType::E2m3x2:
      return &kE2m3;
    case ScalarType::E3m2x2:
      return &kE3m2;
    default:
      return nullptr;
  }
}

Real value_of_code(std::uint64_t magnitude, FloatFormat layout) {
  const std::uint64_t fraction = truncate(magnitude, layout.fraction_bits), field = magnitude >> layout.fraction_bits;
  const std::uint64_t implicit = field == 0 ? 0 : std::uint64_t{1} << layout.fraction_bits;
  const int exponent =
      static_cast<int>(field == 0 ? 1 : field) - layout.bias() - static_cast<int>(layout.fraction_bits);
  return {Real::Kind::Finite, false, fraction | implicit, exponent};
}

Real value_of_byte(std::uint64_t byte, const ByteFormat& format) {
  const std::uint64_t magnitude = byte & (format.layout.sign_mask() - 1);
  if (magnitude > format.most + (format.has_infinity ? 1 : 0)) return Real::nan();
  Real value = magnitude > format.most ? Real::infinity(false) : value_of_code(magnitude, format.layout);
  value.negative = (byte & format.layout.sign_mask()) != 0;
  return value;
}

}  // namespace warpfork::reference
