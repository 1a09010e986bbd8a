// The heads of entries, functions and prototypes (PTX ISA, "Kernel and Function Directives", "Performance-Tuning
// Directives").
#pragma once

#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/variable_parser.h"

namespace warpfork::ptx {

/// The head of a function: everything but the body.
class FunctionHeadParser {
 public:
  FunctionHeadParser(Cursor& cursor, VariableParser& variables) : cursor_(cursor), variables_(variables) {}

  /// Behind `.entry` or `.func`, up to the body's brace or the semicolon of a declaration.
  Function head(bool is_entry);
  /// Behind `.callprototype`, up to and with the semicolon.
  Function prototype();

  /// The names of the head's returns and parameters, in that order, with their places.
  const std::vector<Token>& parameter_names() const { return parameter_names_; }
  const Token& function_name() const { return function_name_; }

 private:
  std::vector<Variable> parameters();
  Variable parameter();
  void directives(Function& function);
  void directive(Function& function, const Token& word);
  /// Up to `most` numbers of at least `least`.
  std::vector<std::uint64_t> numbers(std::string_view directive, std::uint64_t least, std::size_t most);
  void check_launched(const Function& entry) const;
  [[noreturn]] void fail_beside(const Token& word, std::string_view other) const;

  Cursor& cursor_;
  VariableParser& variables_;
  std::vector<Token> parameter_names_;
  Token function_name_;
};

/// Whether the next function or variable of the module begins: old declarations of functions may end so, without a
/// semicolon.
bool begins_declaration(const Token& token);

/// Behind `.pragma`: strings up to and with the semicolon. They say nothing to a simulator.
void skip_pragma(Cursor& cursor);

}  // namespace warpfork::ptx
