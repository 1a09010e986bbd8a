// A whole PTX text, directive by directive (PTX ISA, "Directives").
#pragma once

#include <cstddef>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"
#include "ptx/source_places.h"
#include "ptx/variable_parser.h"

namespace warpfork::ptx {

/// Reads one Module. Use once.
class ModuleParser {
 public:
  explicit ModuleParser(const Source& source);

  Module parse();

 private:
  void version();
  void directive(const Token& word);
  void target();
  void address_size();
  Linkage linkage(const Token& first, Token& directive);
  void registers();
  void variables(StateSpace space, const Linkage& linkage);
  void add_variable(Variable variable, const Token& name, unsigned element_bytes);
  void function(const Token& word, const Linkage& linkage);
  void add_function(Function function, const Token& name);
  void order_functions();
  void source_file();
  void alias();
  void section();
  unsigned inferred_address_bits() const;

  Cursor cursor_;
  Module module_;
  ModuleSymbols symbols_;
  VariableParser variable_parser_;
  SourcePlaces places_;
  std::vector<std::size_t> last_seen_;  // for each function, the count of heads before its last one
  std::size_t heads_ = 0;
  std::size_t registers_ = 0;  // of all functions
  std::vector<RegisterDeclaration> shared_registers_;
  bool has_address_size_ = false;
};

}  // namespace warpfork::ptx
