// The machine code of a program that can be recorded, as it lies in its file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "x86/symbol_table.h"

namespace warpfork::x86 {

struct CodeSection {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;

  std::uint64_t end() const { return address + bytes.size(); }
};

class CodeImage {
 public:
  /// Throws Error as read_elf_program() does.
  explicit CodeImage(const std::string& path);

  std::span<const CodeSection> sections() const { return sections_; }  ///< executable ones, in the file's order
  const SymbolTable& symbols() const { return symbols_; }

  /// Calls `visit` for every instruction of [begin, end), one after the other and anew at each function. Bytes that are
  /// no instruction are visited one by one, with `decodes` false.
  using Visit = std::function<void(std::uint64_t pc, std::span<const std::uint8_t> bytes, bool decodes)>;
  void sweep(std::uint64_t begin, std::uint64_t end, const Visit& visit) const;

 private:
  void sweep_section(const CodeSection& section, std::uint64_t begin, std::uint64_t end, const Visit& visit) const;

  std::vector<CodeSection> sections_;
  SymbolTable symbols_;
  std::vector<std::uint64_t> functions_;  // their addresses, sorted
};

}  // namespace warpfork::x86
