// One PTX instruction as written (PTX ISA, "Instruction Set"): opcode, dotted words, guard and operands, all names
// resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/inplace_vector.h"
#include "base/types.h"
#include "ptx/types.h"

namespace warpfork::ptx {

/// Index into Function::registers.
using RegisterId = std::uint32_t;

/// A register operand, `%r1`; negated: `!%p1`, or `-%r1` in vmad.
struct RegisterOperand {
  RegisterId id = 0;
  bool negated = false;
  /// The selector of video instructions, `%r1.b2` or `%r1.h10`, as encoded by selector_bits(); 0 where none is written.
  std::uint16_t selector = 0;
  bool operator==(const RegisterOperand&) const = default;
};

/// `b2`, `h10`, `b7210` … (up to four digits 0 to 7, most significant first) in 16 bits: bit 15 for halves, three bits
/// count of digits, three bits each digit with the last one lowest. 0 if the text is no selector.
std::uint16_t selector_bits(std::string_view text);
std::string selector_text(std::uint16_t selector);

/// `%tid.x`, `%laneid`, … Component 0 … 3 for x, y, z, w; 0 for scalars.
struct SpecialRegisterOperand {
  SpecialRegister name{};
  std::uint8_t component = 0;
  bool operator==(const SpecialRegisterOperand&) const = default;
};

/// `%tid`, `%ctaid` and their like, which are vectors of four.
bool has_components(SpecialRegister);

/// A literal. `bits` holds an integer as 64-bit two's complement, or the bit pattern of a float literal:
/// of an f32 for `0f…`, of an f64 for `0d…` and for decimal literals.
struct ImmediateOperand {
  enum class Kind : std::uint8_t { Integer, Float32, Float64 };
  Kind kind = Kind::Integer;
  std::uint64_t bits = 0;
  bool operator==(const ImmediateOperand&) const = default;
};

/// The address of a variable (or of a function, for call and function pointers), plus a byte offset. Also the table of
/// brx.idx (a key of Function::branch_targets) and the prototype of an indirect call (Function::prototypes,
/// call_targets).
struct SymbolOperand {
  std::string name;
  std::int64_t offset = 0;
  bool operator==(const SymbolOperand&) const = default;
};

/// `[register + offset]`, `[symbol + offset]`, `[literal]`. The offset of a symbol stands in `offset`, not in the
/// symbol.
struct AddressOperand {
  std::variant<std::uint64_t, RegisterId, SymbolOperand> base;
  std::int64_t offset = 0;
  bool operator==(const AddressOperand&) const = default;
};

/// A branch target, resolved to the index of the instruction it stands before; may equal the body's size.
struct LabelOperand {
  std::string name;
  Pc target = kNoPc;
  bool operator==(const LabelOperand&) const = default;
};

/// The underscore that discards a result.
struct SinkOperand {
  bool operator==(const SinkOperand&) const = default;
};

struct Operand;

/// `{a, b}`; also the bracketed tuple of texture instructions and the parenthesised lists of `call`, whose operands
/// are, as written: [returns,] callee [, arguments [, prototype]].
struct VectorOperand {
  enum class Brackets : std::uint8_t { Braces, Square, Parentheses };
  std::vector<Operand> elements;
  Brackets brackets = Brackets::Braces;
  bool operator==(const VectorOperand&) const;
};

/// `d|p`: two destinations of one instruction (setp, shfl, match …).
struct PairOperand {
  std::vector<Operand> elements;
  bool operator==(const PairOperand&) const;
};

struct Operand : std::variant<RegisterOperand, SpecialRegisterOperand, ImmediateOperand, SymbolOperand, AddressOperand,
                              LabelOperand, SinkOperand, VectorOperand, PairOperand> {
  using variant::variant;
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(static_cast<const variant*>(this));
  }
};

/// `@%p1` or `@!%p1`.
struct Guard {
  RegisterId predicate = 0;
  bool negated = false;
  bool operator==(const Guard&) const = default;
};

/// Where the instruction stands in the PTX text, and where `.loc` says it comes from (0 = unknown).
struct Location {
  std::uint32_t line = 0, column = 0;
  std::uint32_t source_file = 0, source_line = 0;
};

/// Dotted words of one instruction, and types; nothing in PTX ISA 9 has as many.
using ModifierList = InplaceVector<Modifier, 15>;
using TypeList = InplaceVector<ScalarType, 7>;

struct Instruction {
  Opcode opcode{};
  /// Dotted words that are neither type, space nor vector width, in source order: `.lo`, `.rn`, `.ftz`, `.ge` …
  ModifierList modifiers;
  /// Dotted types in source order: `cvt.rn.f32.s32` has {F32, S32}.
  TypeList types;
  /// The first dotted state space; Generic where none is written. A second one is a modifier, and so is the whole word
  /// where it says which half of the space (`.shared::cluster`).
  StateSpace space = StateSpace::Generic;
  /// 1, 2, 4 or 8 elements (`.v2` …).
  std::uint8_t vector_width = 1;
  std::optional<Guard> guard;
  std::vector<Operand> operands;
  Location location;
  /// Of branches that stand for a call of a function with one body for several calls (lower/recursion.h), and, with a
  /// guard, for its way back: the call's number, from 1.
  std::uint32_t call = 0;

  bool has(Modifier wanted) const {
    for (Modifier m : modifiers)
      if (m == wanted) return true;
    return false;
  }
};

}  // namespace warpfork::ptx
