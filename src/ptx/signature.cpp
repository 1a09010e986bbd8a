#include "ptx/signature.h"

#include <cstddef>
#include <iterator>

namespace warpfork::ptx {

namespace {

constexpr Signature kSignatures[] = {
#define PTX_SIGNATURE(opcode, operands, words) {operands, words},
#include "ptx/signatures.def"
#undef PTX_SIGNATURE
};

constexpr Opcode kOrder[] = {
#define PTX_SIGNATURE(opcode, operands, words) Opcode::opcode,
#include "ptx/signatures.def"
#undef PTX_SIGNATURE
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kOrder); ++i)
    if (kOrder[i] != static_cast<Opcode>(i)) return false;
  return true;
}
static_assert(in_order(), "signatures.def follows the order of opcodes.def");

// Of forms that differ from what the table says.

/// Behind what `red` combines: the barrier, perhaps the number of threads, the predicate of each thread.
std::string_view operands_of_barrier(const Instruction& instruction) {
  if (instruction.has(Modifier::Cluster)) return "";
  if (instruction.has(Modifier::Warp)) return "i";
  if (!instruction.has(Modifier::Red)) return signature_of(instruction.opcode).operands;
  const bool counts_threads = instruction.operands.size() == 4;
  if (instruction.has(Modifier::Popc)) return counts_threads ? "iiip" : "iip";
  if (instruction.has(Modifier::And) || instruction.has(Modifier::Or)) return counts_threads ? "piip" : "pip";
  return counts_threads ? "xiip" : "xip";
}

/// An arrival's state may be discarded.
std::string_view operands_of_mbarrier(const Instruction& instruction) {
  const bool has_parity = instruction.has(Modifier::Parity);
  if (instruction.has(Modifier::Arrive) || instruction.has(Modifier::ArriveDrop))
    return instruction.has(Modifier::ExpectTx) ? "wai" : "wa|i";
  if (instruction.has(Modifier::TestWait)) return has_parity ? "pai" : "paw";
  if (instruction.has(Modifier::TryWait)) return has_parity ? "pai|i" : "paw|i";
  if (instruction.has(Modifier::PendingCount)) return "iw";
  return instruction.has(Modifier::Inval) ? "a" : signature_of(instruction.opcode).operands;
}

/// Asynchronous ones in bulk, and their groups, have forms of their own.
std::string_view operands_of_copy(const Instruction& instruction) {
  if (instruction.has(Modifier::Ca) || instruction.has(Modifier::Cg)) return "aan|xx";
  if (instruction.has(Modifier::WaitGroup) && !instruction.has(Modifier::Bulk)) return "n";
  if (instruction.has(Modifier::Mbarrier)) return "a";
  return signature_of(instruction.opcode).operands;
}

}  // namespace

std::string_view operands_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Bar:
    case Opcode::Barrier:
      return operands_of_barrier(instruction);
    case Opcode::Cvt:
      if (instruction.has(Modifier::Pack)) return "iii|i";
      break;
    case Opcode::Add:
    case Opcode::Sub:
      if (instruction.types.size() == 2) return "tut";
      break;
    case Opcode::Fma:
      if (instruction.types.size() == 2) return "tuut";
      break;
    case Opcode::Cp:
      return operands_of_copy(instruction);
    case Opcode::Mbarrier:
      return operands_of_mbarrier(instruction);
    case Opcode::Fence:
      if (instruction.has(Modifier::TensormapGeneric)) return "|xx";
      break;
    case Opcode::Min:
    case Opcode::Max:
      if (instruction.types == TypeList{ScalarType::F32}) return "ttt|t";
      break;
    case Opcode::Tex:
      if (instruction.has(Modifier::Level)) return "Lmu|xx";
      break;
    default:
      break;
  }
  return signature_of(instruction.opcode).operands;
}

const Signature& signature_of(Opcode opcode) { return kSignatures[static_cast<std::size_t>(opcode)]; }

bool is_video(Opcode opcode) { return opcode >= Opcode::Vadd && opcode <= Opcode::Vset4; }

unsigned types_of(std::string_view operands) {
  if (operands.find_first_of("usm") != std::string_view::npos) return 2;
  return operands.find_first_of("tcdTL") != std::string_view::npos ? 1 : 0;
}

bool has_destination(const Instruction& instruction) {
  if (instruction.operands.empty() || instruction.operands[0].as<AddressOperand>() != nullptr) return false;
  switch (instruction.opcode) {
    case Opcode::Bar:
    case Opcode::Barrier:
      return instruction.has(Modifier::Red);
    case Opcode::Bra:
    case Opcode::Brx:
    case Opcode::Nanosleep:
    case Opcode::Setmaxnreg:
    case Opcode::Stackrestore:
    case Opcode::Sured:
    case Opcode::Sust:
      return false;
    // `call (result), f, (arguments)` and `call f, (arguments)`.
    case Opcode::Call:
      return instruction.operands[0].as<VectorOperand>() != nullptr;
    default:
      return true;
  }
}

}  // namespace warpfork::ptx
