#include "x86/decoder_text.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "x86/decoder.h"

namespace warpfork::x86 {

namespace {

ZydisDecoder decoder() {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return decoder;
}

[[noreturn]] void refuse(std::uint64_t pc, std::span<const std::uint8_t> bytes, std::string_view why) {
  throw Error("{:#x}: {:02x}: {}", pc, fmt::join(bytes, " "), why);
}

bool is_mask_register(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_MASK;
}

/// Nullptr if it is supported.
const char* refusal(const ZydisInstruction& instruction) {
  const ZydisDecodedInstruction& info = instruction.info;
  if (info.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX || info.encoding == ZYDIS_INSTRUCTION_ENCODING_MVEX ||
      std::ranges::any_of(instruction.operands(), is_mask_register))
    return "AVX-512 is not supported";
  if (info.encoding == ZYDIS_INSTRUCTION_ENCODING_XOP || info.encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW ||
      info.meta.category == ZYDIS_CATEGORY_FMA4)
    return "instructions that only processors of AMD had are not supported";
  if (info.meta.category == ZYDIS_CATEGORY_AMX_TILE) return "AMX is not supported";
  if (info.meta.category == ZYDIS_CATEGORY_IO || info.meta.category == ZYDIS_CATEGORY_IOSTRINGOP)
    return "input and output instructions are not supported";
  if (info.meta.category == ZYDIS_CATEGORY_KEYLOCKER || info.meta.category == ZYDIS_CATEGORY_KEYLOCKER_WIDE)
    return "Key Locker is not supported";
  if (info.meta.category == ZYDIS_CATEGORY_KNC || info.meta.category == ZYDIS_CATEGORY_KNCSCALAR)
    return "instructions that only Xeon Phi had are not supported";
  if (info.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || info.meta.category == ZYDIS_CATEGORY_SYSRET)
    return "far branches are not supported";
  if (info.mnemonic == ZYDIS_MNEMONIC_ENTER && instruction.storage[1].imm.value.u != 0)
    return "enter with nested frames is not supported";
  return nullptr;
}

}  // namespace

bool ZydisInstruction::is(std::initializer_list<ZydisMnemonic> mnemonics) const {
  return std::ranges::find(mnemonics, info.mnemonic) != mnemonics.end();
}

/// Either prefix repeats a string instruction, whatever its name.
bool ZydisInstruction::repeats() const {
  return is_string() && std::any_of(info.raw.prefixes, info.raw.prefixes + info.raw.prefix_count,
                                    [](const auto& prefix) { return prefix.value == 0xf2 || prefix.value == 0xf3; });
}

ZydisInstruction read_instruction(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  const ZydisDecoder zydis = decoder();
  ZydisInstruction read;
  read.pc = pc;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&zydis, bytes.data(), bytes.size(), &read.info, read.storage.data())))
    refuse(pc, bytes, "no x86-64 instruction");
  if (read.info.length != bytes.size())
    refuse(pc, bytes, fmt::format("more than one x86-64 instruction: the first ends after {} bytes", read.info.length));
  if (const char* const why = refusal(read)) refuse(pc, bytes, why);
  return read;
}

std::size_t instruction_length(std::span<const std::uint8_t> bytes) {
  const ZydisDecoder zydis = decoder();
  ZydisDecodedInstruction info;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&zydis, nullptr, bytes.data(), bytes.size(), &info))) return 0;
  return info.length;
}

}  // namespace warpfork::x86
