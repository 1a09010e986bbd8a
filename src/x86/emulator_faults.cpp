#include "x86/emulator_faults.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "x86/code_listing.h"
#include "x86/decoder.h"
#include "x86/decoder_text.h"
#include "x86/recorded_code.h"

namespace warpfork::x86 {

namespace {

std::string place_of(std::uint64_t pc, const ElfProgram& program) {
  const std::optional<SourceLine> line = program.lines.at(pc);
  return fmt::format("{:x}, {}{}", pc, program.symbols.text(pc),
                     line ? fmt::format(", {}:{}", line->file, line->line) : std::string());
}

}  // namespace

/// An index of 4 means "none" in an ordinary address (SDM volume 2, 2.1.5), where it would be rsp. In a gather's
/// address it means xmm4 or ymm4 (2.3.12); the emulator takes it for none there, too. A 12 it reads rightly.
std::string emulator_fault(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  if (instruction_length(bytes) != bytes.size()) return "";
  const ZydisInstruction read = read_instruction(pc, bytes);
  if (read.info.meta.category != ZYDIS_CATEGORY_AVX2GATHER) return "";
  const ZydisRegister index = read.storage[1].mem.index;
  if (index != ZYDIS_REGISTER_XMM4 && index != ZYDIS_REGISTER_YMM4) return "";
  return fmt::format("gathers without its indices, {}", ZydisRegisterGetString(index));
}

void refuse_emulator_faults(std::span<const std::uint8_t> code, const ElfProgram& program, const std::string& name) {
  for_each_instruction(code, name, [&](std::uint64_t pc, std::span<const std::uint8_t> bytes) {
    const std::string fault = emulator_fault(pc, bytes);
    if (fault.empty()) return;
    throw Error(
        "{}: at {}: {}\n  the recorder's emulator (QEMU 7.2) {}: what the program did then was wrong, and no recording "
        "is "
        "written\n  build the program with -mno-avx2, or gcc's -mtune-ctrl=^use_gather; what gathers by intrinsics "
        "must "
        "do without",
        name, place_of(pc, program), disassemble(pc, bytes), fault);
  });
}

}  // namespace warpfork::x86
