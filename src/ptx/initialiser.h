// The values behind the `=` of a variable (PTX ISA, "Variables": "Initializers").
#pragma once

#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/module_symbols.h"

namespace warpfork::ptx {

/// Reads scalars, nested braces, addresses `symbol + offset`, `generic(symbol)` and masked addresses `0xff(symbol)`.
class Initialiser {
 public:
  /// `extents`: elements per dimension, outermost first, 0 for an empty first one; none for a scalar.
  Initialiser(Cursor& cursor, ModuleSymbols& symbols, Variable& variable, std::vector<std::uint64_t> extents);

  /// Fills Variable::initial (only up to the last given byte) and Variable::relocations. Returns the number of elements
  /// of the outermost dimension that are given.
  std::uint64_t read();

 private:
  void level(std::size_t depth, std::uint64_t base);
  void scalar(std::uint64_t index);
  void address(std::uint64_t index, std::uint64_t mask);
  void check_holds_address(const Token& symbol, std::uint64_t mask) const;
  void store(std::uint64_t index, std::uint64_t bits);
  std::uint64_t stride(std::size_t depth) const;

  Cursor& cursor_;
  ModuleSymbols& symbols_;
  Variable& variable_;
  std::vector<std::uint64_t> extents_;
  std::uint64_t end_ = 0;  // one past the last element given
  unsigned nesting_ = 0;
};

}  // namespace warpfork::ptx
