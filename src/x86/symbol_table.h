// Names of a program's functions and variables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::x86 {

struct Symbol {
  std::uint64_t address = 0, bytes = 0;
  bool is_function = false;
  std::string name;
};

class SymbolTable {
 public:
  SymbolTable() = default;
  /// Of several names for one address containing() and text() give the plainest: with the fewest leading underscores,
  /// then the shortest, then the first in the alphabet. find() knows all.
  explicit SymbolTable(std::vector<Symbol> symbols);
  /// Throws Error, which names `what`, if the bytes are no table.
  SymbolTable(std::span<const std::uint8_t> bytes, const std::string& what);
  std::vector<std::uint8_t> to_bytes() const;

  /// The symbol within whose bytes the address lies; nullptr if there is none.
  const Symbol* containing(std::uint64_t address) const;
  const Symbol* find(std::string_view name) const;
  /// "main+0x1c", "main", or "0x401136" where there is no symbol.
  std::string text(std::uint64_t address) const;
  const std::vector<Symbol>& all() const { return symbols_; }

 private:
  std::vector<Symbol> symbols_;  // by address; of one address the plainest first
};

}  // namespace warpfork::x86
