// One instruction of a body, from the opcode to the semicolon (PTX ISA, "Instruction Operands").
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/instruction.h"
#include "ptx/label_scopes.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"
#include "ptx/name_scopes.h"

namespace warpfork::ptx {

/// Reads instructions into Function::body. Every name is resolved here, except labels, which LabelScopes fills in.
class InstructionParser {
 public:
  InstructionParser(Cursor& cursor, Function& function, NameScopes& names, LabelScopes& labels, ModuleSymbols& symbols)
      : cursor_(cursor), function_(function), names_(names), labels_(labels), symbols_(symbols) {}

  /// Behind the opcode. `source_place`: what `.loc` said last.
  void parse(const Token& opcode, std::optional<Guard> guard, const Location& source_place);
  /// Behind the `@`.
  Guard guard();

 private:
  void dotted_words(Instruction& instruction);
  void bank_number();
  void operands(Instruction& instruction);
  void call_operands(Instruction& instruction);
  void label_operand(Instruction& instruction);
  void table_operand(Instruction& instruction);
  void begin_operand() { places_.push_back(cursor_.peek().position); }

  Operand operand();
  Operand single_operand();
  Operand braces();
  Operand brackets();
  Operand list();
  AddressOperand address();
  std::int64_t offset();
  std::optional<Operand> negated_register(bool minus);
  Operand named(const Token& name);
  Operand register_operand(const NameScopes::Meaning& meaning);
  Operand special_register(const Token& name, SpecialRegister which);
  Operand variable(const Token& name);
  Operand indexed(const Token& name, SymbolOperand symbol);
  std::string symbol_name(const Token& name);
  RegisterId component(const NameScopes::Meaning& meaning);
  [[noreturn]] void fail_undeclared(const Token& name) const;

  Cursor& cursor_;
  Function& function_;
  NameScopes& names_;
  LabelScopes& labels_;
  ModuleSymbols& symbols_;
  bool forward_functions_ = false;  // the instruction may name functions that are declared further down
  bool indexes_memory_ = false;     // `table[2]` is the element, not its address
  std::vector<Position> places_;    // of the instruction's operands
  unsigned nesting_ = 0;
};

}  // namespace warpfork::ptx
