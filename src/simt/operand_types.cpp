#include "simt/operand_types.h"

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// The product of .wide.
ScalarType twice(ScalarType type) {
  switch (type) {
    case ScalarType::U16:
      return ScalarType::U32;
    case ScalarType::S16:
      return ScalarType::S32;
    case ScalarType::S32:
      return ScalarType::S64;
    default:
      return ScalarType::U64;
  }
}

}  // namespace

ScalarType result_type(const ptx::Instruction& instruction) {
  const ScalarType type = instruction.types.front();
  switch (instruction.opcode) {
    case Opcode::Mul:
    case Opcode::Mad:
      return instruction.has(Modifier::Wide) ? twice(type) : type;
    case Opcode::Popc:
    case Opcode::Clz:
    case Opcode::Bfind:
      return ScalarType::U32;
    case Opcode::Testp:
      return ScalarType::Pred;
    default:
      return type;
  }
}

ScalarType source_type(const ptx::Instruction& instruction, std::size_t index) {
  const ScalarType type = instruction.types.front();
  switch (instruction.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Fma:  // the last one has the type of the result
      return index + 1 < instruction.operands.size() ? instruction.types.back() : type;
    case Opcode::Mad:
      return index == 3 && instruction.has(Modifier::Wide) ? twice(type) : type;
    case Opcode::Shl:
    case Opcode::Shr:
      return index == 2 ? ScalarType::U32 : type;
    case Opcode::Bfe:
      return index >= 2 ? ScalarType::U32 : type;
    case Opcode::Bfi:
      return index >= 3 ? ScalarType::U32 : type;
    case Opcode::Selp:
      return index == 3 ? ScalarType::Pred : type;
    case Opcode::Slct:
      return index == 3 && instruction.types.size() == 2 ? instruction.types[1] : type;
    default:
      return type;
  }
}

}  // namespace warpfork::simt
