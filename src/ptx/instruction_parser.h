// One instruction of a body, from the opcode to the semicolon (PTX ISA, "Instruction Operands").
#pragma once

#include <optional>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/instruction.h"
#include "ptx/label_scopes.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"
#include "ptx/name_scopes.h"
#include "ptx/operand_parser.h"

namespace warpfork::ptx {

/// Reads instructions into Function::body. Every name is resolved here, except labels, which LabelScopes fills in.
class InstructionParser {
 public:
  InstructionParser(Cursor& cursor, Function& function, NameScopes& names, LabelScopes& labels, ModuleSymbols& symbols)
      : cursor_(cursor), function_(function), labels_(labels), operands_(cursor, function, names, symbols) {}

  /// Behind the opcode. `source_place`: what `.loc` said last.
  void parse(const Token& opcode, std::optional<Guard> guard, const Location& source_place);
  /// Behind the `@`.
  Guard guard() { return operands_.guard(); }

 private:
  void dotted_words(Instruction& instruction);
  void bank_number();
  void operands(Instruction& instruction);
  void call_operands(Instruction& instruction);
  void label_operand(Instruction& instruction);
  void table_operand(Instruction& instruction);
  void begin_operand() { places_.push_back(cursor_.peek().position); }

  Cursor& cursor_;
  Function& function_;
  LabelScopes& labels_;
  OperandParser operands_;
  std::vector<Position> places_;  // of the instruction's operands
};

}  // namespace warpfork::ptx
