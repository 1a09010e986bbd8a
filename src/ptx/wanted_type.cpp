#include "ptx/wanted_type.h"

#include <fmt/format.h>

#include <string_view>

namespace warpfork::ptx {

NumberClass class_of(ScalarType type) {
  if (type == ScalarType::Pred) return NumberClass::Predicate;
  if (is_float(type)) return NumberClass::Float;
  return to_string(type)[0] == 'b' ? NumberClass::Bits : NumberClass::Integer;
}

Want wanted_by(char letter, const Instruction& instruction) {
  const auto of = [](ScalarType type, bool may_be_wider) { return Want{type, bits_of(type), may_be_wider}; };
  switch (letter) {
    case 't':
    case 'T':
      return of(instruction.types[0], false);
    case 'u':
      return of(instruction.types[1], false);
    case 'd': {
      const ScalarType type = instruction.types[0];
      return {type, bits_of(type) * (instruction.has(Modifier::Wide) ? 2 : 1), false};
    }
    case 'c':
    case 'L':
      return of(instruction.types[0], true);
    case 's':
      return of(instruction.types[1], true);
    case 'i':
      return of(ScalarType::U32, false);
    case 'w':
      return of(ScalarType::U64, false);
    case 'b':
      return of(ScalarType::B32, false);
    case 'g':
      return of(ScalarType::U32, true);
    case 'p':
    case 'P':
      return of(ScalarType::Pred, false);
    default:
      return {};
  }
}

Want wanted_in_fragment(ScalarType element) {
  switch (element) {
    case ScalarType::F64:
    case ScalarType::F32:
    case ScalarType::Tf32:
      return {element, bits_of(element), false};
    case ScalarType::F16:
      return {ScalarType::F16x2, 32, false};
    case ScalarType::Bf16:
      return {ScalarType::Bf16x2, 32, false};
    default:
      return {ScalarType::U32, 32, false};
  }
}

bool fits(ScalarType given, const Want& want) {
  const NumberClass has = class_of(given), needs = class_of(*want.type);
  if (has == NumberClass::Predicate || needs == NumberClass::Predicate) return has == needs;
  const unsigned width = bits_of(given);
  if (width < want.bits || (width > want.bits && !want.may_be_wider)) return false;
  if (has == NumberClass::Bits || needs == NumberClass::Bits) return true;
  const bool is_exact = has == NumberClass::Float || is_packed(*want.type);
  return has == needs && (!is_exact || given == *want.type);
}

std::string allowed(const Want& want) {
  if (*want.type == ScalarType::Pred) return "allowed: a register of type .pred";
  const NumberClass needs = class_of(*want.type);
  const std::string kind = needs == NumberClass::Float || is_packed(*want.type)
                               ? fmt::format("a .{} or .b", to_string(*want.type))
                           : needs == NumberClass::Integer ? "an integer or .b"
                                                           : "a";
  return fmt::format("allowed: {} register of {} bits{}", kind, want.bits, want.may_be_wider ? " or more" : "");
}

}  // namespace warpfork::ptx
