// What PTX asks of floating-point results beyond IEEE 754 (PTX ISA, "Floating Point Instructions"): flushing of
// subnormals, saturation, NaN. The ISA leaves signs and payloads of NaNs open; ours are those of NVIDIA's GPUs
// (measured, docs/adr/0005-open-cases-of-arithmetic.md), and spelt out, so that they do not depend on how the host was
// compiled.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "ptx/instruction.h"
#include "simt/lanes/lanewise.h"

namespace warpfork::simt::WARPFORK_LANES {

/// Single precision has one NaN.
inline float canonical(float value) { return value != value ? std::bit_cast<float>(0x7fffffffu) : value; }

/// In double precision it is the last operand's that is one, quiet, with its sign and payload; else one of its own.
template <typename... T>
inline double nan_of(T... operands) {
  constexpr std::uint64_t kQuiet = 0x0008000000000000;
  std::uint64_t bits = 0xfff8000000000000;
  ((bits = operands != operands ? std::bit_cast<std::uint64_t>(operands) | kQuiet : bits), ...);
  return std::bit_cast<double>(bits);
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
  static float in(float value) { return Ftz ? flush(value) : value; }
  template <typename... T>
  static float apply(float first, T... others) {
    const float result = in(Op::apply(in(first), in(others)...));
    return Sat ? saturate(result) : canonical(result);
  }
  template <typename... T>
  static double apply(double first, T... others) {
    const double result = Op::apply(first, others...);
    if constexpr (Sat) return saturate(result);
    return result != result ? nan_of(first, others...) : result;
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
