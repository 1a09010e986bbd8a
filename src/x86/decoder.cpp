#include "x86/decoder.h"

#include <algorithm>

#include "x86/decoder_operands.h"
#include "x86/decoder_special.h"
#include "x86/uop_kinds.h"

namespace warpfork::x86 {

namespace {

/// What the load or store unit does alone: the load converts nothing that needs an operation, a store stores its
/// source.
bool is_move(const ZydisInstruction& instruction) {
#define BOTH(name) ZYDIS_MNEMONIC_##name, ZYDIS_MNEMONIC_V##name
  return instruction.is({ZYDIS_MNEMONIC_MOV,
                         ZYDIS_MNEMONIC_MOVZX,
                         ZYDIS_MNEMONIC_MOVSX,
                         ZYDIS_MNEMONIC_MOVSXD,
                         ZYDIS_MNEMONIC_MOVNTI,
                         ZYDIS_MNEMONIC_MOVDIRI,
                         ZYDIS_MNEMONIC_MOVNTQ,
                         BOTH(MOVAPS),
                         BOTH(MOVAPD),
                         BOTH(MOVUPS),
                         BOTH(MOVUPD),
                         BOTH(MOVDQA),
                         BOTH(MOVDQU),
                         BOTH(LDDQU),
                         BOTH(MOVNTPS),
                         BOTH(MOVNTPD),
                         BOTH(MOVNTDQ),
                         BOTH(MOVNTDQA),
                         BOTH(MOVSS),
                         BOTH(MOVSD),
                         BOTH(MOVD),
                         BOTH(MOVQ),
                         BOTH(MOVLPS),
                         BOTH(MOVLPD),
                         BOTH(MOVHPS),
                         BOTH(MOVHPD),
                         BOTH(MOVDDUP),
                         BOTH(MOVSHDUP),
                         BOTH(MOVSLDUP),
                         ZYDIS_MNEMONIC_VBROADCASTSS,
                         ZYDIS_MNEMONIC_VBROADCASTSD,
                         ZYDIS_MNEMONIC_VBROADCASTF128,
                         ZYDIS_MNEMONIC_VBROADCASTI128,
                         ZYDIS_MNEMONIC_VPBROADCASTD,
                         ZYDIS_MNEMONIC_VPBROADCASTQ,
                         ZYDIS_MNEMONIC_VEXTRACTF128,
                         ZYDIS_MNEMONIC_VEXTRACTI128,
                         BOTH(MASKMOVDQU),
                         ZYDIS_MNEMONIC_MASKMOVQ,
                         ZYDIS_MNEMONIC_VMASKMOVPS,
                         ZYDIS_MNEMONIC_VMASKMOVPD,
                         ZYDIS_MNEMONIC_VPMASKMOVD,
                         ZYDIS_MNEMONIC_VPMASKMOVQ,
                         BOTH(STMXCSR),
                         ZYDIS_MNEMONIC_FST,
                         ZYDIS_MNEMONIC_FSTP,
                         ZYDIS_MNEMONIC_FNSTCW,
                         ZYDIS_MNEMONIC_FNSTSW});
#undef BOTH
}

bool loads_only(const ZydisInstruction& instruction, const Operands& operands) {
  return is_move(instruction) && operands.reads.empty() && operands.writes.size() == 1 && !operands.writes[0].merges;
}

void build_operation(const ZydisInstruction& instruction, Operands operands, UopBuilder& uops) {
  RegisterList results;
  if (operands.store) {
    results.add(kTemporary);
  } else if (!operands.writes.empty()) {
    results.add(operands.writes[0].id);
    if (operands.writes[0].merges) operands.reads.add(operands.writes[0].id);
  }
  if (operands.writes_flags) results.add(kFlags);
  uops.operation(kind_of(instruction), width_of(instruction), operands.reads, results);
  if (operands.store) uops.store(*operands.store, {kTemporary});
  // A second result, as of mul, div, mulx and cpuid, follows from the first by a µop of its own.
  for (std::size_t index = 1; index < operands.writes.size(); ++index) {
    const RegisterWrite& write = operands.writes[index];
    RegisterList sources{operands.writes[0].id};
    if (write.merges) sources.add(write.id);
    uops.alu(sources, {write.id});
  }
}

/// Loads what is read, operates, stores what is written.
void build_plain(const ZydisInstruction& instruction, UopBuilder& uops) {
  if (kind_of(instruction) == UopKind::Nop) {
    uops.operation(UopKind::Nop, UopWidth::Scalar, {}, {});
    return;
  }
  Operands operands = operands_of(instruction);
  if (operands.load && loads_only(instruction, operands)) {
    uops.load(*operands.load, operands.writes[0].id);
    return;
  }
  if (operands.store && !operands.load && is_move(instruction)) {
    uops.store(*operands.store, operands.reads);
    return;
  }
  if (operands.load) {
    uops.load(*operands.load, kTemporary);
    operands.reads.add(kTemporary);
  }
  build_operation(instruction, operands, uops);
}

BranchKind branch_of(const ZydisInstruction& instruction) {
  if (instruction.is({ZYDIS_MNEMONIC_XEND, ZYDIS_MNEMONIC_XABORT})) return BranchKind::None;  // as Zydis has it
  const bool direct = instruction.storage[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (instruction.info.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      return BranchKind::Conditional;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return direct ? BranchKind::Jump : BranchKind::IndirectJump;
    case ZYDIS_CATEGORY_CALL:
      return direct ? BranchKind::Call : BranchKind::IndirectCall;
    case ZYDIS_CATEGORY_RET:
      return BranchKind::Return;
    default:
      return BranchKind::None;
  }
}

std::uint64_t target_of(const ZydisInstruction& instruction) {
  const ZydisDecodedOperand& target = instruction.storage[0];
  if (target.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !target.imm.is_relative) return 0;
  return instruction.pc + instruction.info.length + target.imm.value.u;
}

bool is_atomic(const ZydisInstruction& instruction) {
  if ((instruction.info.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0) return true;
  return instruction.is({ZYDIS_MNEMONIC_XCHG}) && (instruction.storage[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
                                                   instruction.storage[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
}

bool is_system_call(const ZydisInstruction& instruction) {
  if (instruction.is({ZYDIS_MNEMONIC_INT})) return instruction.storage[0].imm.value.u == 0x80;
  return instruction.is({ZYDIS_MNEMONIC_SYSCALL, ZYDIS_MNEMONIC_SYSENTER});
}

}  // namespace

Decoding decode(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  const ZydisInstruction read = read_instruction(pc, bytes);
  Decoding decoding;
  StaticInstruction& instruction = decoding.instruction;
  instruction.pc = pc;
  instruction.length = read.info.length;
  instruction.branch = branch_of(read);
  if (instruction.branch != BranchKind::None) instruction.target = target_of(read);
  instruction.atomic = is_atomic(read);
  instruction.repeats = read.repeats();
  instruction.system_call = is_system_call(read);

  UopBuilder uops(decoding);
  const bool special = build_stack(read, uops) || build_branch(read, uops) || build_string(read, uops) ||
                       build_exchange(read, uops) || build_gather(read, uops) || build_system(read, uops);
  if (!special) build_plain(read, uops);
  if (!decoding.accesses.empty()) instruction.stack = stack_access_of(read, decoding);
  return decoding;
}

}  // namespace warpfork::x86
