#include "reference/float_extreme.h"

namespace warpfork::reference {

using ptx::Modifier;

std::uint64_t float_extreme(const ptx::Instruction& instruction, FloatFormat format, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sign = instruction.has(Modifier::Xorsign) ? (a ^ b) & format.sign_mask() : 0;
  if (instruction.has(Modifier::Abs)) {
    a &= ~format.sign_mask();
    b &= ~format.sign_mask();
  }
  const Real left = decode(a, format), right = decode(b, format);
  std::uint64_t result = 0;
  if (left.is_nan() && right.is_nan()) return format.canonical_nan();
  if (left.is_nan() || right.is_nan()) {
    if (instruction.has(Modifier::PropagateNan)) return format.canonical_nan();
    result = left.is_nan() ? b : a;
  } else {
    const int order = compare(left, right);
    const bool a_below = order < 0 || (order == 0 && left.negative);
    const bool is_min = instruction.opcode == ptx::Opcode::Min || instruction.has(Modifier::Min);
    result = a_below == is_min ? a : b;
  }
  return result | sign;
}

}  // namespace warpfork::reference
