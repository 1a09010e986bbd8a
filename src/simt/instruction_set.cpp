#include "simt/instruction_set.h"

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

#define WARPFORK_HANDLER_SET(build)                                                                               \
  HandlerSet {                                                                                                    \
    build::select_integer, build::select_carry, build::select_bits, build::select_logic, build::select_float,     \
        build::select_half, build::select_approximate, build::select_compare, build::select_choice,               \
        build::select_move, build::select_convert, build::select_load, build::select_store, build::select_atomic, \
        build::select_collective                                                                                  \
  }
const HandlerSet kBaseline = WARPFORK_HANDLER_SET(lanes_baseline);
const HandlerSet kAvx2 = WARPFORK_HANDLER_SET(lanes_avx2);
#undef WARPFORK_HANDLER_SET

bool is_half(ScalarType type) {
  return type == ScalarType::F16 || type == ScalarType::F16x2 || type == ScalarType::Bf16 || type == ScalarType::Bf16x2;
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

#define WARPFORK_FAMILY(name) \
  Handler select_##name(const HandlerSet& handlers, const Operation& operation) { return handlers.name(operation); }
WARPFORK_FAMILY(integer)
WARPFORK_FAMILY(carry)
WARPFORK_FAMILY(bits)
WARPFORK_FAMILY(logic)
WARPFORK_FAMILY(approximate)
WARPFORK_FAMILY(compare)
WARPFORK_FAMILY(choice)
WARPFORK_FAMILY(move)
WARPFORK_FAMILY(convert)
WARPFORK_FAMILY(load)
WARPFORK_FAMILY(store)
WARPFORK_FAMILY(atomic)
WARPFORK_FAMILY(collective)
#undef WARPFORK_FAMILY

Handler select_none(const HandlerSet&, const Operation&) { return nullptr; }

}  // namespace

HostInstructionSet host_instruction_set() {
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return avx2 ? HostInstructionSet::Avx2 : HostInstructionSet::Baseline;
}

const HandlerSet& handler_set(HostInstructionSet set) { return set == HostInstructionSet::Avx2 ? kAvx2 : kBaseline; }

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
