// One operand of an instruction: registers, constants, addresses, vectors (PTX ISA, "Instruction Operands").
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/instruction.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"
#include "ptx/name_scopes.h"

namespace warpfork::ptx {

/// Reads operands and resolves every name in them. Errors name the place, and for an unknown name its nearest.
class OperandParser {
 public:
  OperandParser(Cursor& cursor, Function& function, NameScopes& names, ModuleSymbols& symbols)
      : cursor_(cursor), function_(function), names_(names), symbols_(symbols) {}

  /// What follows belongs to an instruction of that opcode.
  void begin(Opcode opcode);

  /// One operand; two of them joined by `|` are a pair.
  Operand operand();
  /// The parenthesised lists of `call`.
  Operand list();
  /// What a name that has been read stands for, with all that belongs to it behind it.
  Operand named(const Token& name);
  /// What computes the addresses that the operands read so far need: it belongs before their instruction.
  std::vector<Instruction> take_computations() { return std::exchange(computations_, {}); }
  /// Behind the `@`.
  Guard guard();

 private:
  Operand single_operand();
  Operand braces();
  Operand brackets();
  AddressOperand address();
  std::int64_t offset();
  std::optional<Operand> negated_register(bool minus);
  Operand register_operand(const NameScopes::Meaning& meaning);
  Operand special_register(const Token& name, SpecialRegister which);
  Operand variable(const Token& name);
  Operand indexed(const Token& name, SymbolOperand symbol);
  RegisterId element(SymbolOperand array, unsigned bytes);
  RegisterId computed(Opcode opcode, const ModifierList& modifiers, ScalarType type, ScalarType result,
                      std::vector<Operand> sources);
  std::string symbol_name(const Token& name);
  RegisterId component(const NameScopes::Meaning& meaning);
  [[noreturn]] void fail_undeclared(const Token& name) const;

  Cursor& cursor_;
  Function& function_;
  NameScopes& names_;
  ModuleSymbols& symbols_;
  bool forward_functions_ = false;  // the operand may name functions that are declared further down
  bool moves_ = false;
  bool indexes_memory_ = false;  // `table[2]` is the element, not its address
  bool computes_ = false;        // there may be instructions before it
  unsigned nesting_ = 0;
  std::vector<Instruction> computations_;
};

}  // namespace warpfork::ptx
