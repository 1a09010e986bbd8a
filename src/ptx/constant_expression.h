// Constant expressions (PTX ISA, "Constants": "Constant Expression Evaluation").
#pragma once

#include "ptx/cursor.h"
#include "ptx/instruction.h"

namespace warpfork::ptx {

/// The value of a constant expression. Integers are .s64 or .u64, floats .f64; a lone `0f…` literal stays an .f32.
struct Constant {
  ImmediateOperand value;
  bool is_unsigned = false;

  bool is_integer() const { return value.kind == ImmediateOperand::Kind::Integer; }
  std::int64_t as_signed() const { return static_cast<std::int64_t>(value.bits); }
  double as_double() const;
};

/// Reads one expression with C's operators and precedence. Throws Error for a malformed one or a division by zero.
Constant parse_constant(Cursor& cursor);

/// The same, with `+`, `-` and all that binds weaker left for the caller: offsets of addresses.
Constant parse_constant_term(Cursor& cursor);

/// An integer sum between `least` and `most`; `what` names it in the error. It ends before the `>` of `%r<5>`.
std::uint64_t parse_count(Cursor& cursor, std::string_view what, std::uint64_t least, std::uint64_t most);

}  // namespace warpfork::ptx
