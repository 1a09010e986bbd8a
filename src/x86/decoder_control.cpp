// Stack and branches. A stack engine follows push, pop, call and ret: rsp is only a source of their addresses, never
// renamed by them.
#include <algorithm>
#include <optional>

#include "x86/decoder_operands.h"
#include "x86/decoder_special.h"

namespace warpfork::x86 {

namespace {

constexpr RegisterId kFramePointer = kGeneralPurpose + 5;

bool is_stack_operand(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
}

/// Where the instruction pushes or pops.
MemoryPlace stack_of(const ZydisInstruction& instruction) {
  const auto operands = instruction.operands();
  return place_of(*std::ranges::find_if(operands, is_stack_operand));
}

void build_push(const ZydisInstruction& instruction, UopBuilder& uops) {
  const ZydisDecodedOperand& pushed = instruction.storage[0];
  RegisterList data;
  if (instruction.is({ZYDIS_MNEMONIC_PUSHF, ZYDIS_MNEMONIC_PUSHFD, ZYDIS_MNEMONIC_PUSHFQ})) {
    data.add(kFlags);
  } else if (pushed.type == ZYDIS_OPERAND_TYPE_MEMORY) {
    uops.load(place_of(pushed), kTemporary);
    data.add(kTemporary);
  } else if (pushed.type == ZYDIS_OPERAND_TYPE_REGISTER) {
    if (const auto id = register_id(pushed.reg.value)) data.add(*id);
  }
  uops.store(stack_of(instruction), data);
}

void build_pop(const ZydisInstruction& instruction, UopBuilder& uops) {
  const MemoryPlace stack = stack_of(instruction);
  if (instruction.is({ZYDIS_MNEMONIC_POPF, ZYDIS_MNEMONIC_POPFD, ZYDIS_MNEMONIC_POPFQ})) {
    uops.load(stack, kTemporary);
    uops.alu({kTemporary}, {kFlags});
    return;
  }
  const ZydisDecodedOperand& popped = instruction.storage[0];
  const bool memory = popped.type == ZYDIS_OPERAND_TYPE_MEMORY;
  const auto id = memory ? std::nullopt : register_id(popped.reg.value);
  if (id && popped.size == 64) {
    uops.load(stack, id);
    return;
  }
  uops.load(stack, kTemporary);
  if (memory)
    uops.store(place_of(popped), {kTemporary});
  else if (id)
    uops.alu({kTemporary, *id}, {*id});  // 16 bits
  else
    uops.operation(UopKind::Serialize, UopWidth::Scalar, {kTemporary}, {});  // a segment register
}

/// `enter` and `leave` copy between rsp and rbp, which the stack engine cannot do.
void build_frame(const ZydisInstruction& instruction, UopBuilder& uops) {
  const MemoryPlace stack{.address = {kStackPointer}, .bytes = 8};
  if (instruction.is({ZYDIS_MNEMONIC_LEAVE})) {
    uops.alu({kFramePointer}, {kStackPointer});
    uops.load(stack, kFramePointer);
  } else {
    uops.store(stack, {kFramePointer});
    uops.alu({kStackPointer}, {kFramePointer});
    uops.alu({kFramePointer}, {kStackPointer});
  }
}

/// Where an indirect jump or call goes: nothing for a direct one. Loads it where it lies in memory.
RegisterList target_of(const ZydisInstruction& instruction, UopBuilder& uops) {
  const ZydisDecodedOperand& target = instruction.storage[0];
  if (target.type == ZYDIS_OPERAND_TYPE_MEMORY) {
    uops.load(place_of(target), kTemporary);
    return {kTemporary};
  }
  if (target.type == ZYDIS_OPERAND_TYPE_REGISTER) return {*register_id(target.reg.value)};
  return {};
}

void build_conditional(const ZydisInstruction& instruction, UopBuilder& uops) {
  if (instruction.is({ZYDIS_MNEMONIC_XBEGIN})) {
    uops.operation(UopKind::Serialize, UopWidth::Scalar, {kGeneralPurpose}, {kGeneralPurpose});
    uops.branch({kGeneralPurpose});
  } else if (instruction.is({ZYDIS_MNEMONIC_JCXZ, ZYDIS_MNEMONIC_JECXZ, ZYDIS_MNEMONIC_JRCXZ})) {
    uops.branch({kCounter});
  } else if (instruction.is({ZYDIS_MNEMONIC_LOOP})) {
    uops.alu({kCounter}, {kCounter});
    uops.branch({kCounter});
  } else if (instruction.is({ZYDIS_MNEMONIC_LOOPE, ZYDIS_MNEMONIC_LOOPNE})) {
    uops.alu({kCounter}, {kCounter});
    uops.branch({kCounter, kFlags});
  } else {
    uops.branch({kFlags});
  }
}

/// The register that the first access's address has, alone but for a constant.
StackAccess::Register first_base(const Decoding& decoding) {
  const auto first = std::ranges::find_if(
      decoding.uops, [](const Uop& uop) { return uop.kind == UopKind::Load || uop.kind == UopKind::Store; });
  if (first == decoding.uops.end() || first->address_count != 1) return StackAccess::Register::None;
  if (first->sources[0] == kStackPointer) return StackAccess::Register::StackPointer;
  return first->sources[0] == kFramePointer ? StackAccess::Register::FramePointer : StackAccess::Register::None;
}

}  // namespace

/// Of what a mask leaves out, and of states that are saved, the first piece need not lie at the beginning.
StackAccess stack_access_of(const ZydisInstruction& instruction, const Decoding& decoding) {
  using enum StackAccess::Register;
  if (instruction.info.meta.category == ZYDIS_CATEGORY_PUSH)
    return {StackPointer, static_cast<std::uint8_t>(decoding.accesses.size() - 1), 0};
  if (instruction.info.meta.category == ZYDIS_CATEGORY_POP)
    return {StackPointer, 0, -static_cast<std::int32_t>(stack_of(instruction).bytes)};
  if (instruction.is({ZYDIS_MNEMONIC_LEAVE})) return {StackPointer, 0, -8};
  const StackAccess::Register base = first_base(decoding);
  const auto operands = instruction.operands();
  const auto memory = std::ranges::find(operands, ZYDIS_OPERAND_TYPE_MEMORY, &ZydisDecodedOperand::type);
  if (base == None || decoding.accesses[0].masked || memory == operands.end() || memory->size > 256) return {};
  if (memory->mem.segment == ZYDIS_REGISTER_FS || memory->mem.segment == ZYDIS_REGISTER_GS) return {};
  return {base, 0, static_cast<std::int32_t>(memory->mem.disp.value)};
}

bool build_stack(const ZydisInstruction& instruction, UopBuilder& uops) {
  if (instruction.info.meta.category == ZYDIS_CATEGORY_PUSH)
    build_push(instruction, uops);
  else if (instruction.info.meta.category == ZYDIS_CATEGORY_POP)
    build_pop(instruction, uops);
  else if (instruction.is({ZYDIS_MNEMONIC_LEAVE, ZYDIS_MNEMONIC_ENTER}))
    build_frame(instruction, uops);
  else
    return false;
  return true;
}

bool build_branch(const ZydisInstruction& instruction, UopBuilder& uops) {
  switch (instruction.info.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      if (instruction.is({ZYDIS_MNEMONIC_XEND, ZYDIS_MNEMONIC_XABORT})) return false;
      build_conditional(instruction, uops);
      return true;
    case ZYDIS_CATEGORY_UNCOND_BR:
      if (instruction.is({ZYDIS_MNEMONIC_XABORT})) return false;
      uops.branch(target_of(instruction, uops));
      return true;
    case ZYDIS_CATEGORY_CALL: {
      const RegisterList target = target_of(instruction, uops);
      uops.store(stack_of(instruction), {});
      uops.branch(target);
      return true;
    }
    case ZYDIS_CATEGORY_RET:
      uops.load(stack_of(instruction), kTemporary);
      uops.branch({kTemporary});
      return true;
    default:
      return false;
  }
}

}  // namespace warpfork::x86
