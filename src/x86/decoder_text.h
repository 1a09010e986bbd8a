// What Zydis reads from machine code, refused where we could not say what it does.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace warpfork::x86 {

struct ZydisInstruction {
  std::uint64_t pc = 0;
  ZydisDecodedInstruction info{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> storage{};

  std::span<const ZydisDecodedOperand> operands() const { return {storage.data(), info.operand_count}; }
  bool is(std::initializer_list<ZydisMnemonic> mnemonics) const;
  bool is_string() const { return info.meta.category == ZYDIS_CATEGORY_STRINGOP; }
  bool repeats() const;
};

/// Throws Error as decode() does.
ZydisInstruction read_instruction(std::uint64_t pc, std::span<const std::uint8_t> bytes);

}  // namespace warpfork::x86
