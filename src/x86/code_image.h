// The machine code and the function symbols of a linked x86-64 executable (ELF-64, System V ABI chapter 4).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::x86 {

struct CodeSymbol {
  std::uint64_t address = 0, size = 0;  ///< size: to the next symbol or the section's end, where the file gives none
  std::string name;
};

struct CodeSection {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;

  std::uint64_t end() const { return address + bytes.size(); }
};

class CodeImage {
 public:
  /// Throws Error that begins with `name` where `file` is no such executable or is damaged.
  CodeImage(std::span<const std::uint8_t> file, std::string_view name);

  std::span<const CodeSection> sections() const { return sections_; }  ///< executable ones, by address
  std::span<const CodeSymbol> symbols() const { return symbols_; }     ///< functions, by address

  /// Nullptr where none covers `pc`; of several the one that the file names last.
  const CodeSymbol* symbol_at(std::uint64_t pc) const;

  /// `main+0x1c`; empty where no symbol covers `pc`.
  std::string place(std::uint64_t pc) const;

  /// Calls `visit` for every instruction of [begin, end), one after the other and anew at each symbol. Bytes that are
  /// no instruction are visited one by one, with `decodes` false.
  using Visit = std::function<void(std::uint64_t pc, std::span<const std::uint8_t> bytes, bool decodes)>;
  void sweep(std::uint64_t begin, std::uint64_t end, const Visit& visit) const;

 private:
  void sweep_section(const CodeSection& section, std::uint64_t begin, std::uint64_t end, const Visit& visit) const;
  void close_symbols();

  std::vector<CodeSection> sections_;
  std::vector<CodeSymbol> symbols_;
};

}  // namespace warpfork::x86
