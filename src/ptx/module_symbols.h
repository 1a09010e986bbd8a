// The names that a whole module shares: its variables, functions and aliases (PTX ISA, "Linking Directives").
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace warpfork::ptx {

/// What stands at module scope so far, and the uses of names that have to be there by the end of the text.
class ModuleSymbols {
 public:
  enum class Kind : std::uint8_t { Variable, Function, Alias };
  struct Symbol {
    Kind kind = Kind::Variable;
    std::size_t index = 0;       // in Module::variables or Module::functions
    unsigned element_bytes = 0;  // of a variable: what one step of an index moves by
  };

  explicit ModuleSymbols(const Source& source) : source_(source) {}

  bool has(std::string_view name) const { return symbols_.contains(name); }
  /// Null if there is none so far.
  const Symbol* find(std::string_view name) const;
  /// In the order of their declaration.
  const std::vector<std::string_view>& names() const { return order_; }
  /// Throws Error if the name is taken.
  void declare(const Token& name, Symbol symbol);

  /// The name may also be declared further down.
  void use(const Token& name);
  /// Throws Error for the first used name that never came.
  void check_uses() const;

 private:
  const Source& source_;
  std::unordered_map<std::string_view, Symbol> symbols_;
  std::vector<std::string_view> order_;
  std::vector<Token> pending_;
};

}  // namespace warpfork::ptx
