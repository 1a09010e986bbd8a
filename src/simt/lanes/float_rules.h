// What PTX asks of floating-point results beyond IEEE 754 (PTX ISA, "Floating Point Instructions"): flushing of
// subnormals, saturation, NaN. The ISA leaves the payload of a NaN open; ours is always 0x7fffffff (f32) or
// 0x7ff8000000000000 (f64), so that results do not depend on how the host was compiled.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "ptx/instruction.h"
#include "simt/lanes/lanewise.h"

namespace warpfork::simt::WARPFORK_LANES {

inline constexpr std::uint32_t kNan32 = 0x7fffffff;
inline constexpr std::uint64_t kNan64 = 0x7ff8000000000000;

template <typename T>
inline T canonical(T value) {
  constexpr auto kNan = std::bit_cast<T>([] {
    if constexpr (sizeof(T) == 4)
      return kNan32;
    else
      return kNan64;
  }());
  return value != value ? kNan : value;
}

/// A subnormal becomes a zero of its sign.
inline float flush(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

/// .sat: [0, 1], NaN becomes +0.
template <typename T>
inline T saturate(T value) {
  const T at_least_zero = value > T{0} ? value : T{0};
  return at_least_zero < T{1} ? at_least_zero : T{1};
}

/// Op under .ftz, .sat and the NaN rule.
template <typename Op, bool Ftz, bool Sat>
struct Ruled {
  template <typename T>
  static T in(T value) {
    if constexpr (Ftz && sizeof(T) == 4)
      return flush(value);
    else
      return value;
  }
  template <typename T>
  static T out(T value) {
    if constexpr (Sat)
      return saturate(in(value));
    else
      return canonical(in(value));
  }
  template <typename... T>
  static auto apply(T... values) {
    return out(Op::apply(in(values)...));
  }
};

/// The host's rounding mode for a .rz, .rm or .rp instruction; to nearest again when it goes out of scope.
class RoundingScope {
 public:
  explicit RoundingScope(int mode) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
};

/// lanewise under the host rounding mode in Instruction::immediate. The rows are memory that fesetround, an opaque
/// call, might touch: no load or store, and so no arithmetic, can be moved across it.
template <typename Op, typename Out, typename... In>
void lanewise_rounded(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const RoundingScope scope(static_cast<int>(instruction.immediate));
  lanewise<Op, Out, In...>(instruction, warp, lanes);
}

}  // namespace warpfork::simt::WARPFORK_LANES
