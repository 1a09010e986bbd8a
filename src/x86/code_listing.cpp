#include "x86/code_listing.h"

#include <Zydis/Zydis.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "x86/decoder_text.h"
#include "x86/uop_text.h"

namespace warpfork::x86 {

namespace {

constexpr int kUopIndent = 40;

/// What a µop does not show.
std::string marks(const StaticInstruction& instruction, const SymbolTable& symbols) {
  std::string marks;
  const auto add = [&marks](const std::string& mark) { marks += (marks.empty() ? "  ; " : ", ") + mark; };
  if (instruction.target != 0) add("to " + symbols.text(instruction.target));
  if (instruction.atomic) add("atomic");
  if (instruction.repeats) add("each iteration");
  if (instruction.system_call) add("system call");
  return marks;
}

}  // namespace

std::string disassemble(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  const ZydisInstruction read = read_instruction(pc, bytes);
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
  std::array<char, 256> text{};
  ZydisFormatterFormatInstruction(&formatter, &read.info, read.storage.data(), read.info.operand_count_visible,
                                  text.data(), text.size(), pc, nullptr);
  return text.data();
}

std::string list_bytes(std::uint64_t pc, std::span<const std::uint8_t> bytes, const SymbolTable& symbols,
                       const std::string& why) {
  return fmt::format("{:12x}  {:<20} {:<32}  {}\n", pc, symbols.text(pc), fmt::format("{:02x}", fmt::join(bytes, " ")),
                     why);
}

std::string list_instruction(const StaticInstruction& instruction, std::span<const std::uint8_t> bytes,
                             const SymbolTable& symbols) {
  std::string lines =
      list_bytes(instruction.pc, bytes, symbols, disassemble(instruction.pc, bytes) + marks(instruction, symbols));
  for (const Uop& uop : instruction.uops)
    lines += fmt::format("{:{}}{}\n", "", kUopIndent, to_text(uop, instruction.accesses));
  return lines;
}

}  // namespace warpfork::x86
