#include "x86/decoder_operands.h"

#include <algorithm>

namespace warpfork::x86 {

namespace {

constexpr ZydisAccessedFlagsMask kArithmetic =
    ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

bool is_register(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_REGISTER; }

bool is_access(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
         (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM || operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB);
}

bool is_shift(const ZydisInstruction& instruction) {
  return instruction.info.meta.category == ZYDIS_CATEGORY_SHIFT ||
         instruction.info.meta.category == ZYDIS_CATEGORY_ROTATE;
}

/// A shift by 0 is a move that leaves the flags alone. The count is taken modulo 64 or 32.
bool shifts_by_zero(const ZydisInstruction& instruction) {
  if (!is_shift(instruction)) return false;
  const std::uint64_t mask = instruction.info.operand_width == 64 ? 63 : 31;
  return std::ranges::any_of(instruction.operands(), [mask](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && (operand.imm.value.u & mask) == 0;
  });
}

bool keeps_a_part(const ZydisInstruction& instruction, const ZydisDecodedOperand& written) {
  if ((written.actions & ZYDIS_OPERAND_ACTION_WRITE) == 0) return true;  // under a condition only
  switch (ZydisRegisterGetClass(written.reg.value)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_MMX:
    case ZYDIS_REGCLASS_X87:
      return true;
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:  // of a source that is 0, bsf and bsr leave no result
      return instruction.is({ZYDIS_MNEMONIC_BSF, ZYDIS_MNEMONIC_BSR});
    case ZYDIS_REGCLASS_XMM:
      return instruction.info.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && written.size < 128;
    default:
      return false;
  }
}

bool zeroes_or_sets_all(const ZydisInstruction& instruction) {
#define BOTH(name) ZYDIS_MNEMONIC_##name, ZYDIS_MNEMONIC_V##name
  return instruction.is({ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_SUB, BOTH(PXOR),    BOTH(XORPS),   BOTH(XORPD),
                         BOTH(PSUBB),        BOTH(PSUBW),        BOTH(PSUBD),   BOTH(PSUBQ),   BOTH(PSUBSB),
                         BOTH(PSUBSW),       BOTH(PSUBUSB),      BOTH(PSUBUSW), BOTH(PCMPGTB), BOTH(PCMPGTW),
                         BOTH(PCMPGTD),      BOTH(PCMPGTQ),      BOTH(PCMPEQB), BOTH(PCMPEQW), BOTH(PCMPEQD),
                         BOTH(PCMPEQQ)});
#undef BOTH
}

bool has_equal_sources(const ZydisInstruction& instruction) {
  const auto operands = instruction.operands();
  const std::size_t second = instruction.info.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ? 2 : 1;
  if (second >= instruction.info.operand_count_visible) return false;
  const ZydisDecodedOperand &one = operands[second - 1], &other = operands[second];
  return is_register(one) && is_register(other) && one.reg.value == other.reg.value;
}

void read_registers(const ZydisInstruction& instruction, Operands& out) {
  const bool equal = has_equal_sources(instruction);
  if (equal && (zeroes_or_sets_all(instruction) || instruction.is({ZYDIS_MNEMONIC_SBB}))) return;
  for (const ZydisDecodedOperand& operand : instruction.operands()) {
    if (is_register(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
      if (const auto id = register_id(operand.reg.value)) out.reads.add(*id);
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN)
      out.reads.add(place_of(operand).address);  // lea
  }
}

void write_registers(const ZydisInstruction& instruction, Operands& out) {
  for (const ZydisDecodedOperand& operand : instruction.operands()) {
    if (!is_register(operand) || (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
    const auto id = register_id(operand.reg.value);
    if (!id) continue;
    const auto known = std::ranges::find(out.writes, *id, &RegisterWrite::id);
    if (known == out.writes.end()) out.writes.push_back({*id, keeps_a_part(instruction, operand)});
  }
}

void find_flags(const ZydisInstruction& instruction, Operands& out) {
  if (instruction.info.cpu_flags == nullptr) return;
  const ZydisAccessedFlags& flags = *instruction.info.cpu_flags;
  auto written = (flags.modified | flags.set_0 | flags.set_1 | flags.undefined) & kArithmetic;
  if (instruction.is({ZYDIS_MNEMONIC_VPTEST, ZYDIS_MNEMONIC_VTESTPS, ZYDIS_MNEMONIC_VTESTPD}))
    written = kArithmetic;  // Zydis forgets those that are cleared
  const bool changes = written != 0 && !shifts_by_zero(instruction);
  const bool by_register =
      is_shift(instruction) && std::ranges::any_of(instruction.operands(), [](const ZydisDecodedOperand& operand) {
        return operand.id > 0 && is_register(operand) && operand.reg.value == ZYDIS_REGISTER_CL;
      });
  if ((flags.tested & kArithmetic) != 0 || (changes && (written != kArithmetic || by_register))) out.reads.add(kFlags);
  out.writes_flags = changes;
}

/// `bt [m], r`: bits beyond the operand are addressed, too.
bool register_chooses_address(const ZydisInstruction& instruction) {
  return instruction.is({ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTC}) &&
         is_register(instruction.storage[1]);
}

void find_memory(const ZydisInstruction& instruction, Operands& out) {
  for (const ZydisDecodedOperand& operand : instruction.operands()) {
    if (!is_access(operand)) continue;
    MemoryPlace place = place_of(operand);
    if (register_chooses_address(instruction)) place.address.add(*register_id(instruction.storage[1].reg.value));
    if (instruction.is({ZYDIS_MNEMONIC_XLAT})) place.address.add(kGeneralPurpose);
    place.masked = instruction.is({ZYDIS_MNEMONIC_MASKMOVQ, ZYDIS_MNEMONIC_MASKMOVDQU, ZYDIS_MNEMONIC_VMASKMOVDQU,
                                   ZYDIS_MNEMONIC_VMASKMOVPS, ZYDIS_MNEMONIC_VMASKMOVPD, ZYDIS_MNEMONIC_VPMASKMOVD,
                                   ZYDIS_MNEMONIC_VPMASKMOVQ});
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 && !out.load) out.load = place;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 && !out.store) out.store = place;
  }
}

/// What Zydis does not list of the x87 unit: its control word, and the condition codes where nothing else is written.
void correct_x87(const ZydisInstruction& instruction, Operands& out) {
  if (instruction.is({ZYDIS_MNEMONIC_FNSTCW})) {
    out.reads.add(kControl);
  } else if (instruction.is({ZYDIS_MNEMONIC_FLDCW})) {
    out.writes.push_back({kControl, false});
  } else if (instruction.is({ZYDIS_MNEMONIC_FNSTSW})) {
    out.reads.add(kX87);
  } else if (instruction.info.meta.category == ZYDIS_CATEGORY_X87_ALU && out.writes.empty() && !out.writes_flags &&
             !out.store) {
    out.writes.push_back({kX87, true});
  }
}

}  // namespace

std::optional<RegisterId> register_id(ZydisRegister zydis) {
  switch (ZydisRegisterGetClass(zydis)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: {
      const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, zydis);
      return static_cast<RegisterId>(kGeneralPurpose + ZydisRegisterGetId(whole));
    }
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
      return static_cast<RegisterId>(kVector + ZydisRegisterGetId(zydis));
    case ZYDIS_REGCLASS_MMX:
    case ZYDIS_REGCLASS_X87:
      return kX87;
    default:
      break;
  }
  if (zydis == ZYDIS_REGISTER_MXCSR || zydis == ZYDIS_REGISTER_X87CONTROL) return kControl;
  return std::nullopt;
}

MemoryPlace place_of(const ZydisDecodedOperand& memory) {
  MemoryPlace place;
  place.bytes = std::max(1u, memory.size / 8u);
  for (const ZydisRegister part : {memory.mem.base, memory.mem.index})
    if (const auto id = register_id(part)) place.address.add(*id);
  return place;
}

Operands operands_of(const ZydisInstruction& instruction) {
  Operands out;
  read_registers(instruction, out);
  write_registers(instruction, out);
  find_flags(instruction, out);
  find_memory(instruction, out);
  correct_x87(instruction, out);
  return out;
}

}  // namespace warpfork::x86
