#include "x86/decoder_special.h"

#include <algorithm>
#include <array>
#include <optional>

#include "x86/decoder_operands.h"

namespace warpfork::x86 {

namespace {

constexpr RegisterId kAccumulator = kGeneralPurpose, kData = kGeneralPurpose + 2, kBase = kGeneralPurpose + 3,
                     kSource = kGeneralPurpose + 6, kDestination = kGeneralPurpose + 7;
constexpr RegisterId kLoaded = kTemporary, kResult = kTemporary + 1;

struct StringInstruction {
  std::array<ZydisMnemonic, 4> mnemonics;
  bool reads_source, reads_destination, writes_destination;  // memory at rsi, at rdi
};

constexpr StringInstruction kStrings[] = {
    {{ZYDIS_MNEMONIC_MOVSB, ZYDIS_MNEMONIC_MOVSW, ZYDIS_MNEMONIC_MOVSD, ZYDIS_MNEMONIC_MOVSQ}, true, false, true},
    {{ZYDIS_MNEMONIC_STOSB, ZYDIS_MNEMONIC_STOSW, ZYDIS_MNEMONIC_STOSD, ZYDIS_MNEMONIC_STOSQ}, false, false, true},
    {{ZYDIS_MNEMONIC_LODSB, ZYDIS_MNEMONIC_LODSW, ZYDIS_MNEMONIC_LODSD, ZYDIS_MNEMONIC_LODSQ}, true, false, false},
    {{ZYDIS_MNEMONIC_CMPSB, ZYDIS_MNEMONIC_CMPSW, ZYDIS_MNEMONIC_CMPSD, ZYDIS_MNEMONIC_CMPSQ}, true, true, false},
    {{ZYDIS_MNEMONIC_SCASB, ZYDIS_MNEMONIC_SCASW, ZYDIS_MNEMONIC_SCASD, ZYDIS_MNEMONIC_SCASQ}, false, true, false}};

const StringInstruction& string_of(const ZydisInstruction& instruction) {
  return *std::ranges::find_if(kStrings, [&](const StringInstruction& string) {
    return std::ranges::find(string.mnemonics, instruction.info.mnemonic) != string.mnemonics.end();
  });
}

unsigned element_bytes(const ZydisInstruction& instruction) {
  for (const ZydisDecodedOperand& operand : instruction.operands())
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) return operand.size / 8u;
  return 0;
}

/// The accesses and the comparison or move of one element. `cmps` reads rdi first, as QEMU does.
void build_element(const StringInstruction& string, unsigned bytes, UopBuilder& uops) {
  const MemoryPlace source{.address = {kSource}, .bytes = bytes},
      destination{.address = {kDestination}, .bytes = bytes};
  if (string.reads_destination) {
    uops.load(destination, kLoaded);
    if (string.reads_source) uops.load(source, kResult);
    uops.alu({kLoaded, string.reads_source ? kResult : kAccumulator}, {kFlags});
  } else if (string.writes_destination) {
    if (string.reads_source) uops.load(source, kLoaded);
    uops.store(destination, {string.reads_source ? kLoaded : kAccumulator});
  } else if (bytes >= 4) {
    uops.load(source, kAccumulator);
  } else {
    uops.load(source, kLoaded);
    uops.alu({kLoaded, kAccumulator}, {kAccumulator});
  }
}

/// An operand of an exchange: a register, of which a part may be kept, or memory.
struct Exchanged {
  RegisterId id = 0;
  bool merges = false;
  std::optional<MemoryPlace> memory;

  explicit Exchanged(const ZydisDecodedOperand& operand) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      memory = place_of(operand);
    } else {
      id = *register_id(operand.reg.value);
      merges = operand.size < 32;
    }
  }
  RegisterList from(RegisterId value) const { return merges ? RegisterList{value, id} : RegisterList{value}; }
};

void build_xchg(const Exchanged& first, const Exchanged& second, UopBuilder& uops) {
  if (first.memory) {
    uops.load(*first.memory, kLoaded);
    uops.store(*first.memory, {second.id});
    uops.alu(second.from(kLoaded), {second.id});
  } else {
    uops.alu({second.id}, {kLoaded});
    uops.alu(second.from(first.id), {second.id});
    uops.alu(first.from(kLoaded), {first.id});
  }
}

void build_xadd(const Exchanged& first, const Exchanged& second, UopBuilder& uops) {
  if (first.memory) {
    uops.load(*first.memory, kLoaded);
    uops.alu({kLoaded, second.id}, {kResult, kFlags});
    uops.store(*first.memory, {kResult});
    uops.alu(second.from(kLoaded), {second.id});
  } else {
    uops.alu({first.id, second.id}, {kResult, kFlags});
    uops.alu(second.from(first.id), {second.id});
    uops.alu(first.from(kResult), {first.id});
  }
}

/// Compares, then selects by the flags: rax becomes what was there, unless that was rax; it becomes `second` if so.
void build_cmpxchg(const Exchanged& first, const Exchanged& second, UopBuilder& uops) {
  const RegisterId old = first.memory ? kLoaded : first.id;
  if (first.memory) uops.load(*first.memory, kLoaded);
  uops.alu({kAccumulator, old}, {kFlags});
  uops.alu({kFlags, second.id, old}, {kResult});
  if (first.memory) uops.store(*first.memory, {kResult});
  uops.alu({kFlags, kAccumulator, old}, {kAccumulator});
  if (!first.memory) uops.alu(first.from(kResult), {first.id});
}

/// cmpxchg8b and cmpxchg16b: only ZF is changed.
void build_wide_cmpxchg(const MemoryPlace& memory, UopBuilder& uops) {
  uops.load(memory, kLoaded);
  uops.alu({kAccumulator, kData, kLoaded, kFlags}, {kFlags});
  uops.alu({kFlags, kBase, kCounter, kLoaded}, {kResult});
  uops.store(memory, {kResult});
  uops.alu({kFlags, kAccumulator, kLoaded}, {kAccumulator});
  uops.alu({kFlags, kData, kLoaded}, {kData});
}

unsigned gathered_elements(const ZydisInstruction& instruction) {
  const bool wide_index = instruction.is(
      {ZYDIS_MNEMONIC_VGATHERQPS, ZYDIS_MNEMONIC_VGATHERQPD, ZYDIS_MNEMONIC_VPGATHERQD, ZYDIS_MNEMONIC_VPGATHERQQ});
  const ZydisDecodedOperand &destination = instruction.storage[0], &memory = instruction.storage[1];
  const unsigned index_bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, memory.mem.index);
  const unsigned destination_bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, destination.reg.value);
  return std::min(index_bits / (wide_index ? 64u : 32u), destination_bits / memory.size);
}

/// syscall has up to six arguments in registers; the kernel gives rcx and r11 the return address and the flags.
void build_syscall(UopBuilder& uops) {
  const RegisterId r8 = 8, r9 = 9, r10 = 10, r11 = 11;
  uops.operation(UopKind::Serialize, UopWidth::Scalar, {kDestination, kSource, kData, r10}, {kLoaded});
  uops.operation(UopKind::Serialize, UopWidth::Scalar, {kLoaded, kAccumulator, r8, r9}, {kAccumulator});
  uops.alu({}, {kCounter});
  uops.alu({kFlags}, {r11});
}

void build_interrupt(UopBuilder& uops) {
  uops.operation(UopKind::Serialize, UopWidth::Scalar, {kBase, kCounter, kData, kSource}, {kLoaded});
  uops.operation(UopKind::Serialize, UopWidth::Scalar, {kLoaded, kAccumulator, kDestination, kGeneralPurpose + 5},
                 {kAccumulator});
}

void write_all_vectors(const RegisterList& sources, UopWidth width, UopBuilder& uops) {
  for (RegisterId id = kVector; id < kVector + 16; ++id) uops.operation(UopKind::VectorAlu, width, sources, {id});
}

/// fxrstor and xrstor: all registers of vectors and of the x87 unit.
void build_restore(const ZydisInstruction& instruction, UopBuilder& uops) {
  Operands operands = operands_of(instruction);
  uops.load(*operands.load, kLoaded);
  operands.reads.add(kLoaded);
  uops.operation(UopKind::Serialize, UopWidth::Scalar, operands.reads, {kX87});
  write_all_vectors({kLoaded}, UopWidth::Avx, uops);
}

}  // namespace

bool build_string(const ZydisInstruction& instruction, UopBuilder& uops) {
  if (!instruction.is_string()) return false;
  const StringInstruction& string = string_of(instruction);
  build_element(string, element_bytes(instruction), uops);
  if (string.reads_source) uops.alu({kSource}, {kSource});
  if (string.reads_destination || string.writes_destination) uops.alu({kDestination}, {kDestination});
  if (instruction.repeats()) uops.alu({kCounter}, {kCounter});
  return true;
}

bool build_exchange(const ZydisInstruction& instruction, UopBuilder& uops) {
  // Zydis lists the operands as encoded: memory, if any, is the first of xadd and cmpxchg, either of xchg.
  const bool swapped = instruction.storage[1].type == ZYDIS_OPERAND_TYPE_MEMORY;
  const ZydisDecodedOperand &first = instruction.storage[swapped ? 1 : 0],
                            &second = instruction.storage[swapped ? 0 : 1];
  switch (instruction.info.mnemonic) {
    case ZYDIS_MNEMONIC_XCHG:
      build_xchg(Exchanged(first), Exchanged(second), uops);
      return true;
    case ZYDIS_MNEMONIC_XADD:
      build_xadd(Exchanged(first), Exchanged(second), uops);
      return true;
    case ZYDIS_MNEMONIC_CMPXCHG:
      build_cmpxchg(Exchanged(first), Exchanged(second), uops);
      return true;
    case ZYDIS_MNEMONIC_CMPXCHG8B:
    case ZYDIS_MNEMONIC_CMPXCHG16B:
      build_wide_cmpxchg(place_of(instruction.storage[0]), uops);
      return true;
    default:
      return false;
  }
}

/// One load per element, in turn to two temporaries; what the mask leaves out is kept. At last the mask is cleared.
bool build_gather(const ZydisInstruction& instruction, UopBuilder& uops) {
  if (instruction.info.meta.category != ZYDIS_CATEGORY_AVX2GATHER) return false;
  const RegisterId destination = *register_id(instruction.storage[0].reg.value);
  const RegisterId mask = *register_id(instruction.storage[2].reg.value);
  MemoryPlace place = place_of(instruction.storage[1]);
  place.address.add(mask);
  place.masked = true;
  const UopWidth width = instruction.info.avx.vector_length == 256 ? UopWidth::Avx : UopWidth::Sse;
  for (unsigned element = 0; element < gathered_elements(instruction); ++element) {
    const RegisterId loaded = static_cast<RegisterId>(kTemporary + element % 2);
    uops.load(place, loaded);
    uops.operation(UopKind::VectorAlu, width, {destination, loaded, mask}, {destination});
  }
  uops.operation(UopKind::VectorAlu, width, {}, {mask});
  return true;
}

bool build_system(const ZydisInstruction& instruction, UopBuilder& uops) {
  switch (instruction.info.mnemonic) {
    case ZYDIS_MNEMONIC_SYSCALL:
      build_syscall(uops);
      return true;
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_INT:
      build_interrupt(uops);
      return true;
    case ZYDIS_MNEMONIC_FXRSTOR:
    case ZYDIS_MNEMONIC_FXRSTOR64:
    case ZYDIS_MNEMONIC_XRSTOR:
    case ZYDIS_MNEMONIC_XRSTOR64:
      build_restore(instruction, uops);
      return true;
    case ZYDIS_MNEMONIC_VZEROALL:
      write_all_vectors({}, UopWidth::Avx, uops);
      return true;
    default:
      return false;
  }
}

}  // namespace warpfork::x86
