// Bodies of entries and functions (PTX ISA, "Instruction Statements", "Control Flow Directives", "Debugging
// Directives").
#pragma once

#include <utility>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/instruction_parser.h"
#include "ptx/label_scopes.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"
#include "ptx/name_scopes.h"
#include "ptx/source_places.h"
#include "ptx/variable_parser.h"

namespace warpfork::ptx {

/// The body of a function, from brace to brace.
class FunctionBodyParser {
 public:
  FunctionBodyParser(Cursor& cursor, Function& function, VariableParser& variables, ModuleSymbols& symbols,
                     SourcePlaces& places, std::size_t& module_registers);

  /// A variable of the module that is declared in a body, with the name that it has in the module.
  struct Lifted {
    Token name;
    unsigned element_bytes = 0;
    Variable variable;
  };

  /// Of the module, which the names of parameters may shadow.
  void declare_registers(const std::vector<RegisterDeclaration>& of_module);
  void declare_parameters(const std::vector<Token>& names);
  void parse();
  /// Those of the body that was read.
  std::vector<Lifted> lifted() { return std::move(lifted_); }

 private:
  void statement();
  void open_scope();
  void close_scope();
  void directive(const Token& word);
  void variables(StateSpace space, const Token& word);
  void variable(const Declaration& declaration, const Token& name);
  void label(const Token& name);
  void branch_targets(const Token& label);
  void call_targets(const Token& label);
  void source_place();
  SourcePlace place();

  Cursor& cursor_;
  Function& function_;
  VariableParser& variable_parser_;
  ModuleSymbols& symbols_;
  SourcePlaces& places_;
  NameScopes names_;
  LabelScopes labels_;
  InstructionParser instructions_;
  unsigned depth_ = 0;
  Location source_place_;
  std::vector<Lifted> lifted_;
};

}  // namespace warpfork::ptx
