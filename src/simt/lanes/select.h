// From a PTX instruction to the function that applies it to the lanes of a warp. One function per family of PTX ISA,
// "Instruction Set"; null means that the combination of types and modifiers is not supported.
#pragma once

#include "ptx/instruction.h"
#include "simt/program.h"

namespace warpfork::simt {

/// What a handler is chosen by.
struct Operation {
  const ptx::Instruction& instruction;
  MemorySpace space = MemorySpace::None;  // of memory instructions
  /// The register of the result or of the data is 64 bits wide (it may be wider than the instruction's type).
  bool wide_destination = false;
  bool wide_source = false;

  ptx::ScalarType type() const { return instruction.types.empty() ? ptx::ScalarType::B32 : instruction.types.front(); }
  bool has(ptx::Modifier modifier) const { return instruction.has(modifier); }
};

/// Whether the handler reads the last operand, a literal, from Instruction::immediate: of what is frequent, as rows of
/// literals take much of the host's cache.
bool reads_literal(const Operation& operation);

#define WARPFORK_DECLARE_SELECTORS                        \
  Handler select_integer(const Operation& operation);     \
  Handler select_carry(const Operation& operation);       \
  Handler select_bits(const Operation& operation);        \
  Handler select_video(const Operation& operation);       \
  Handler select_logic(const Operation& operation);       \
  Handler select_float(const Operation& operation);       \
  Handler select_half(const Operation& operation);        \
  Handler select_approximate(const Operation& operation); \
  Handler select_compare(const Operation& operation);     \
  Handler select_choice(const Operation& operation);      \
  Handler select_move(const Operation& operation);        \
  Handler select_convert(const Operation& operation);     \
  Handler select_pack(const Operation& operation);        \
  Handler select_load(const Operation& operation);        \
  Handler select_store(const Operation& operation);       \
  Handler select_atomic(const Operation& operation);      \
  Handler select_collective(const Operation& operation);  \
  Handler select_matrix(const Operation& operation);

namespace lanes_baseline {
WARPFORK_DECLARE_SELECTORS
}
namespace lanes_avx2 {
WARPFORK_DECLARE_SELECTORS
}
namespace lanes_avx512 {
WARPFORK_DECLARE_SELECTORS
}
#undef WARPFORK_DECLARE_SELECTORS

}  // namespace warpfork::simt
