#include "unit/x86/decoder_subject.h"

#include <algorithm>
#include <bit>

#include "x86/decoder_operands.h"
#include "x86/uop_text.h"

namespace warpfork::x86 {

namespace {

std::uint64_t bit(unsigned id) { return std::uint64_t{1} << id; }

bool is_access(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

}  // namespace

DecoderSubject::DecoderSubject(const std::vector<std::uint8_t>& bytes, NativeMachine& machine)
    : machine_(machine),
      read_(read_instruction(0, bytes)),
      decoding_(decode(0, bytes)),
      depends_(dependences_of(decoding_)) {
  const bool bit_string = read_.info.meta.category == ZYDIS_CATEGORY_BITBYTE;  // bt [m], r
  for (const ZydisDecodedOperand& operand : read_.operands()) {
    if (!is_access(operand)) continue;
    if (const auto base = register_id(operand.mem.base)) pointers_ |= bit(*base);
    if (const auto index = register_id(operand.mem.index)) indices_ |= bit(*index);
    if (bit_string && read_.storage[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
      indices_ |= bit(*register_id(read_.storage[1].reg.value));
  }
  machine.take(bytes);
}

bool DecoderSubject::is_runnable() const {
  if (decoding_.instruction.branch != BranchKind::None || decoding_.instruction.repeats) return false;
  if (read_.info.meta.category == ZYDIS_CATEGORY_X87_ALU || read_.is({ZYDIS_MNEMONIC_VZEROUPPER})) return false;
  for (const ZydisDecodedOperand& operand : read_.operands())
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
        ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_SEGMENT)
      return false;
  return std::ranges::none_of(decoding_.uops, [](const Uop& uop) {
    const auto hidden = [](RegisterId id) { return id == kStackPointer || id == kX87 || id == kControl; };
    return uop.kind == UopKind::Serialize || std::ranges::any_of(uop.read(), hidden) ||
           std::ranges::any_of(uop.written(), hidden);
  });
}

std::string DecoderSubject::contradiction(unsigned trials) {
  for (unsigned trial = 0; trial < trials; ++trial) {
    fill();
    if (!machine_.run(before_, after_)) continue;
    has_run_ = true;
    if (const std::string found = unwritten_change(); !found.empty()) return found;
    for (unsigned source = 0; source <= kMemory; ++source) {
      if (!is_observed(source)) continue;
      const NativeState original = before_;
      assign(source);
      const bool finished = machine_.run(before_, changed_);
      before_ = original;
      if (!finished) continue;
      if (const std::string found = wrong_influence(source); !found.empty()) return found;
    }
  }
  return {};
}

/// By instruction, not by result: the sources of a µop serve both of its results.
std::string DecoderSubject::vain_source() const {
  std::uint64_t named = 0, shown = 0;
  for (unsigned result = 0; result <= kMemory; ++result) {
    if (!is_observed(result) || !is_written(result)) continue;
    if (result == kFlags && defined_flags() == 0) continue;
    named |= depends_[result];
    shown |= seen_[result];
  }
  const std::uint64_t vain = named & ~shown;
  return vain == 0 ? "" : text(static_cast<unsigned>(std::countr_zero(vain))) + " influences nothing";
}

DecoderSubject::Dependences DecoderSubject::dependences_of(const Decoding& decoding) {
  Dependences depends;
  for (unsigned id = 0; id < depends.size(); ++id) depends[id] = bit(id);
  for (const Uop& uop : decoding.uops) {
    std::uint64_t sources = 0;
    for (const RegisterId id : uop.read()) sources |= depends[id];
    if (uop.kind == UopKind::Load) sources |= depends[kMemory];
    if (uop.kind == UopKind::Store) depends[kMemory] |= sources;
    for (const RegisterId id : uop.written()) depends[id] = sources;
  }
  return depends;
}

std::string DecoderSubject::text(unsigned id) {
  return id == kMemory ? "memory" : std::string(name(static_cast<RegisterId>(id)));
}

bool DecoderSubject::is_written(unsigned result) const {
  return std::ranges::any_of(decoding_.uops, [result](const Uop& uop) {
    if (result == kMemory) return uop.kind == UopKind::Store;
    return std::ranges::find(uop.written(), result) != uop.written().end();
  });
}

/// SSE instructions keep the upper halves of ymm registers, which the decoder takes to be clean.
bool DecoderSubject::same(unsigned id, const NativeState& one, const NativeState& other) const {
  if (id < kFlags) return one.general[id] == other.general[id];
  if (id == kFlags) return ((one.flags ^ other.flags) & defined_flags()) == 0;
  if (id == kMemory) return one.memory == other.memory;
  const auto &first = one.vectors[id - kVector], &second = other.vectors[id - kVector];
  const bool only_lower = read_.info.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && is_written(id);
  return std::equal(first.begin(), first.begin() + (only_lower ? 2 : 4), second.begin());
}

std::uint64_t DecoderSubject::defined_flags() const {
  return read_.info.cpu_flags == nullptr ? 0x8d5 : 0x8d5 & ~read_.info.cpu_flags->undefined;
}

/// Numbers that tell values apart, among others doubles, floats, bytes, and pairs of start and length.
std::uint64_t DecoderSubject::word() {
  static constexpr std::array<std::uint64_t, 10> kTelling = {0,
                                                             1,
                                                             5,
                                                             ~std::uint64_t{0},
                                                             0x8000000000000000,
                                                             0x3ff8000000000000,
                                                             0x4008000000000000,
                                                             0xc01c000000000000,
                                                             0x3f800000c0400000,
                                                             0x0000040300000201};
  const std::uint64_t choice = random_() % 20;
  return choice < kTelling.size() ? kTelling[choice] : random_();
}

void DecoderSubject::fill() {
  before_.memory.resize(NativeMachine::kMemoryWords);
  for (unsigned id = 0; id < kX87; ++id) assign(id);
  assign(kMemory);
}

void DecoderSubject::assign(unsigned id) {
  if (id < kFlags) {
    assign_general(id);
  } else if (id == kFlags) {
    before_.flags = random_() & 0x8d5;
  } else if (id == kMemory) {
    for (std::uint64_t& value : before_.memory) value = word();
  } else {
    auto& vector = before_.vectors[id - kVector];
    for (std::uint64_t& value : vector) value = word();
    if ((indices_ & bit(id)) != 0) assign_vector_index(vector);
  }
  if (read_.is({ZYDIS_MNEMONIC_DIV, ZYDIS_MNEMONIC_IDIV})) prevent_overflow();
}

void DecoderSubject::assign_general(unsigned id) {
  std::uint64_t& value = before_.general[id];
  value = word();
  if ((indices_ & bit(id)) != 0) value = random_() % 16;
  if ((pointers_ & bit(id)) != 0) value = machine_.memory_address() + 1024 + 64 * (random_() % 16);
}

void DecoderSubject::assign_vector_index(std::array<std::uint64_t, 4>& index) {
  const bool quad = read_.is(
      {ZYDIS_MNEMONIC_VGATHERQPS, ZYDIS_MNEMONIC_VGATHERQPD, ZYDIS_MNEMONIC_VPGATHERQD, ZYDIS_MNEMONIC_VPGATHERQQ});
  for (std::uint64_t& value : index) value = random_() % 16 + (quad ? 0 : (random_() % 16) << 32);
}

/// Integer division: a small upper half of the dividend, a divisor that is large in each width.
void DecoderSubject::prevent_overflow() {
  before_.general[0] &= ~std::uint64_t{0x8000};
  before_.general[2] &= 0x3f;
  before_.general[3] = (before_.general[3] & 0x7fffffffffffffff) | 0x4000000000000080;
  for (std::uint64_t& value : before_.memory) value = (value & 0x7fffffff7fffffff) | 0x4000000040000000;
}

std::string DecoderSubject::unwritten_change() const {
  for (unsigned id = 0; id <= kMemory; ++id)
    if (is_observed(id) && !is_written(id) && !same(id, before_, after_)) return text(id) + " is written";
  return {};
}

std::string DecoderSubject::wrong_influence(unsigned source) {
  for (unsigned result = 0; result <= kMemory; ++result) {
    if (!is_observed(result) || same(result, after_, changed_)) continue;
    seen_[result] |= bit(source);
    if ((depends_[result] & bit(source)) == 0) return text(result) + " depends on " + text(source);
  }
  return {};
}

}  // namespace warpfork::x86
