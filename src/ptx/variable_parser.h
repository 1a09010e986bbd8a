// Variable declarations and their initialisers (PTX ISA, "Variables").
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"

namespace warpfork::ptx {

/// What stands before the names: `.global .align 8 .v2 .f32`.
struct Declaration {
  StateSpace space{};
  ScalarType type{};
  unsigned vector_width = 1;
  std::uint32_t alignment = 0;  // 0 = natural
  bool is_managed = false;

  /// Of one scalar or one whole vector.
  unsigned element_bytes() const { return bytes_of(type) * vector_width; }
};

/// `%r` or, with a count, `%r<5>`.
struct RegisterDeclaration {
  Token name;
  std::optional<std::uint64_t> count;
  ScalarType type{};
  unsigned vector_width = 1;
};

/// The words before a declaration or a function that say who may see it.
struct Linkage {
  bool is_extern = false, is_visible = false;
};

/// Reads variables of every space; names go where the caller puts them.
class VariableParser {
 public:
  VariableParser(Cursor& cursor, ModuleSymbols& symbols) : cursor_(cursor), symbols_(symbols) {}

  /// The state space that a dotted word names in a declaration: "global", "shared", … but not "reg".
  static std::optional<StateSpace> space_from(std::string_view word);

  /// Behind the space: everything up to the first name.
  Declaration declaration(StateSpace space);
  /// A name, or `%P<2>`, which stands for %P0 and %P1, of variables that are neither arrays nor initialised (PTX ISA,
  /// "Parameterized Variable Names").
  std::vector<Token> names(const Token& name);
  /// A token at the same place with another text, which lives as long as the parser.
  Token renamed(const Token& name, std::string text);
  /// Behind `.reg`, up to and with the semicolon.
  std::vector<RegisterDeclaration> registers();
  /// Dimensions and initialiser behind a name.
  Variable variable(const Declaration& declaration, const Linkage& linkage, const Token& name);

  /// Behind `.attribute`. Returns whether .managed is among them.
  bool attributes();

 private:
  std::uint32_t alignment();
  void bank_number();
  std::vector<std::uint64_t> dimensions(const Declaration& declaration);
  std::uint64_t size_of(const Token& name, const Declaration& declaration, const std::vector<std::uint64_t>& extents);
  void sampler_fields(Variable& variable);
  void check_initialised(const Variable& variable) const;

  Cursor& cursor_;
  ModuleSymbols& symbols_;
  std::uint64_t initial_bytes_ = 0;  // of all variables so far
  std::deque<std::string> texts_;    // of tokens that do not stand in the source
};

}  // namespace warpfork::ptx
