#include "simt/instruction_set.h"

#include <algorithm>

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

// `others`: of the families that have none for AVX-512 (cmake/hot_files.cmake).
#define WARPFORK_HANDLER_SET(build, others)                                                                       \
  HandlerSet {                                                                                                    \
    build::select_integer, others::select_carry, others::select_bits, others::select_video, build::select_logic,  \
        build::select_float, others::select_half, build::select_approximate, build::select_compare,               \
        build::select_choice, build::select_move, build::select_convert, others::select_pack, build::select_load, \
        build::select_store, others::select_atomic, others::select_collective, others::select_matrix              \
  }
const HandlerSet kHandlers[] = {WARPFORK_HANDLER_SET(lanes_baseline, lanes_baseline),
                                WARPFORK_HANDLER_SET(lanes_avx2, lanes_avx2),
                                WARPFORK_HANDLER_SET(lanes_avx512, lanes_avx2)};
#undef WARPFORK_HANDLER_SET

bool is_half(ScalarType type) {
  return type == ScalarType::F16 || type == ScalarType::F16x2 || type == ScalarType::Bf16 || type == ScalarType::Bf16x2;
}

bool is_plain_integer(ScalarType type) {
  return !ptx::is_float(type) && !is_half(type) && type != ScalarType::Pred && type != ScalarType::U16x2 &&
         type != ScalarType::S16x2;
}

/// Rounded to the nearest even, as the host does.
bool is_plain_float(const ptx::Instruction& of, ScalarType type) {
  const Modifier others[] = {Modifier::Ftz, Modifier::Sat, Modifier::Rz, Modifier::Rm, Modifier::Rp};
  return (type == ScalarType::F32 || type == ScalarType::F64) &&
         std::ranges::none_of(others, [&](Modifier other) { return of.has(other); });
}

/// Opcodes that integers, floats and the carry chain share.
Handler select_arithmetic(const HandlerSet& handlers, const Operation& operation) {
  if (operation.has(Modifier::Cc)) return handlers.carry(operation);
  if (is_half(operation.type())) return handlers.half(operation);
  return ptx::is_float(operation.type()) ? handlers.floating(operation) : handlers.integer(operation);
}

/// sqrt and rcp of f32 are exact in all their forms; the approximate reciprocal of f64 has rules of its own, .ftz
/// among them.
Handler select_function(const HandlerSet& handlers, const Operation& operation) {
  if (operation.type() != ScalarType::F64) return handlers.floating(operation);
  if (operation.has(Modifier::Approx) != operation.has(Modifier::Ftz)) return nullptr;
  return operation.has(Modifier::Approx) ? handlers.approximate(operation) : handlers.floating(operation);
}

/// Of one value, or of several in one register.
Handler select_conversion(const HandlerSet& handlers, const Operation& operation) {
  const bool packs = operation.has(Modifier::Pack) || std::ranges::any_of(operation.instruction.types, ptx::is_packed);
  return packs ? handlers.pack(operation) : handlers.convert(operation);
}

#define WARPFORK_FAMILY(name) \
  Handler select_##name(const HandlerSet& handlers, const Operation& operation) { return handlers.name(operation); }
WARPFORK_FAMILY(integer)
WARPFORK_FAMILY(carry)
WARPFORK_FAMILY(bits)
WARPFORK_FAMILY(video)
WARPFORK_FAMILY(logic)
WARPFORK_FAMILY(approximate)
WARPFORK_FAMILY(compare)
WARPFORK_FAMILY(choice)
WARPFORK_FAMILY(move)
WARPFORK_FAMILY(load)
WARPFORK_FAMILY(store)
WARPFORK_FAMILY(atomic)
WARPFORK_FAMILY(collective)
WARPFORK_FAMILY(matrix)
#undef WARPFORK_FAMILY

Handler select_none(const HandlerSet&, const Operation&) { return nullptr; }

}  // namespace

HostInstructionSet host_instruction_set() {
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  static const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  return avx512 ? HostInstructionSet::Avx512 : avx2 ? HostInstructionSet::Avx2 : HostInstructionSet::Baseline;
}

bool reads_literal(const Operation& operation) {
  const ptx::Instruction& of = operation.instruction;
  if (!of.operands.back().as<ptx::ImmediateOperand>()) return false;
  const ScalarType type = of.types.empty() ? ScalarType::Pred : of.types.back();
  switch (of.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
      return is_plain_integer(type) ? !of.has(Modifier::Sat) && !of.has(Modifier::Cc) && !of.has(Modifier::Hi)
                                    : is_plain_float(of, type);
    case Opcode::Setp:
      return is_plain_integer(type) && of.operands.size() == 3 && !of.operands[0].as<ptx::PairOperand>();
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Mov:
      return type != ScalarType::Pred;
    case Opcode::Shl:
    case Opcode::Shr:
      return true;
    default:
      return false;
  }
}

const HandlerSet& handler_set(HostInstructionSet set) { return kHandlers[static_cast<std::size_t>(set)]; }

Handler select_handler(const HandlerSet& handlers, const Operation& operation) {
  switch (operation.instruction.opcode) {
#define OPERATION(opcode, decode, family, integer, f32, f64) \
  case Opcode::opcode:                                       \
    return select_##family(handlers, operation);
#include "simt/operations.def"
#undef OPERATION
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt
