// PTX ISA, selp and slct: one of two operands, by a predicate or by the sign of a third.
#include "simt/lanes/float_rules.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// operand[3] is the predicate, negated if Instruction::immediate is not 0.
template <typename T>
void selp(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const registers = warp.registers;
  const Row<T> a(registers + instruction.operand[1]), b(registers + instruction.operand[2]);
  const std::uint32_t predicate = warp.predicates[instruction.operand[3]];
  const Slot<T> chosen = instruction.immediate ? ~predicate : predicate;
  for_lanes<T>(registers + instruction.operand[0], lanes, [=](unsigned lane) {
    // The lane's bit becomes the sign, by which vector code chooses.
    constexpr unsigned kSign = 8 * sizeof chosen - 1;
    const T one = a[lane], other = b[lane];
    return static_cast<std::make_signed_t<Slot<T>>>(chosen << (kSign - lane)) < 0 ? one : other;
  });
}

template <typename Condition, bool Ftz>
struct Slct {
  template <typename T>
  static T apply(T a, T b, Condition c) {
    if constexpr (Ftz) c = flush(c);
    return c >= 0 ? a : b;
  }
};

}  // namespace

Handler select_choice(const Operation& operation) {
  return for_width(operation.type(), [&](auto t) -> Handler {
    using T = decltype(t);
    if (operation.instruction.opcode == Opcode::Selp) return selp<T>;
    if (operation.instruction.types.size() != 2) return nullptr;
    const ScalarType condition = operation.instruction.types[1];
    if (condition == ScalarType::S32) return lanewise<Slct<std::int32_t, false>, T, T, T, std::int32_t>;
    if (condition != ScalarType::F32) return nullptr;
    return operation.has(Modifier::Ftz) ? lanewise<Slct<float, true>, T, T, T, float>
                                        : lanewise<Slct<float, false>, T, T, T, float>;
  });
}

}  // namespace warpfork::simt::WARPFORK_LANES
