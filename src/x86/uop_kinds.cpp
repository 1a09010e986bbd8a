#include "x86/uop_kinds.h"

#include <algorithm>
#include <array>

namespace warpfork::x86 {

namespace {

struct KindOfMnemonic {
  ZydisMnemonic mnemonic;
  UopKind kind;
  bool scalar;
};

constexpr auto kListed = [] {
  std::array listed = std::to_array<KindOfMnemonic>({
#define KIND_OF(name, kind) {ZYDIS_MNEMONIC_##name, UopKind::kind, false},
#define PACKED(base, kind) \
  KIND_OF(base##PS, kind) KIND_OF(base##PD, kind) KIND_OF(V##base##PS, kind) KIND_OF(V##base##PD, kind)
#define SCALAR(name, kind) {ZYDIS_MNEMONIC_##name, UopKind::kind, true}, {ZYDIS_MNEMONIC_V##name, UopKind::kind, true},
#include "x86/uop_kinds.def"
  });
  std::ranges::sort(listed, {}, &KindOfMnemonic::mnemonic);
  return listed;
}();

/// Nullptr for most. `movsd` and `cmpsd` are string instructions, too.
const KindOfMnemonic* listed(const ZydisInstruction& instruction) {
  if (instruction.is_string()) return nullptr;
  const ZydisMnemonic mnemonic = instruction.info.mnemonic;
  const auto found = std::ranges::lower_bound(kListed, mnemonic, {}, &KindOfMnemonic::mnemonic);
  return found == kListed.end() || found->mnemonic != mnemonic ? nullptr : &*found;
}

bool serializes(const ZydisInstruction& instruction) {
  constexpr std::array kCategories = {
      ZYDIS_CATEGORY_SYSCALL,   ZYDIS_CATEGORY_SYSTEM,   ZYDIS_CATEGORY_INTERRUPT, ZYDIS_CATEGORY_XSAVE,
      ZYDIS_CATEGORY_XSAVEOPT,  ZYDIS_CATEGORY_RDRAND,   ZYDIS_CATEGORY_RDSEED,    ZYDIS_CATEGORY_RDPID,
      ZYDIS_CATEGORY_RDPRU,     ZYDIS_CATEGORY_RDWRFSGS, ZYDIS_CATEGORY_VTX,       ZYDIS_CATEGORY_SEGOP,
      ZYDIS_CATEGORY_PT,        ZYDIS_CATEGORY_PKU,      ZYDIS_CATEGORY_SGX,       ZYDIS_CATEGORY_WAITPKG,
      ZYDIS_CATEGORY_UINTR,     ZYDIS_CATEGORY_SMAP,     ZYDIS_CATEGORY_SERIALIZE, ZYDIS_CATEGORY_HRESET,
      ZYDIS_CATEGORY_CET,       ZYDIS_CATEGORY_ENQCMD,   ZYDIS_CATEGORY_PCONFIG,   ZYDIS_CATEGORY_PADLOCK,
      ZYDIS_CATEGORY_TSX_LDTRK, ZYDIS_CATEGORY_CLZERO};
  return std::ranges::find(kCategories, instruction.info.meta.category) != kCategories.end();
}

bool is_hint(const ZydisInstruction& instruction) {
  constexpr std::array kCategories = {ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_WIDENOP, ZYDIS_CATEGORY_PREFETCH,
                                      ZYDIS_CATEGORY_PREFETCHWT1, ZYDIS_CATEGORY_MPX};
  return std::ranges::find(kCategories, instruction.info.meta.category) != kCategories.end();
}

bool has_register_of(const ZydisInstruction& instruction, std::initializer_list<ZydisRegisterClass> classes) {
  return std::ranges::any_of(instruction.operands(), [&](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
           std::ranges::find(classes, ZydisRegisterGetClass(operand.reg.value)) != classes.end();
  });
}

bool is_scalar_fma(const ZydisInstruction& instruction) {
#define FORMS(base, type) \
  ZYDIS_MNEMONIC_V##base##132##type, ZYDIS_MNEMONIC_V##base##213##type, ZYDIS_MNEMONIC_V##base##231##type
  return instruction.is({FORMS(FMADD, SS), FORMS(FMADD, SD), FORMS(FMSUB, SS), FORMS(FMSUB, SD), FORMS(FNMADD, SS),
                         FORMS(FNMADD, SD), FORMS(FNMSUB, SS), FORMS(FNMSUB, SD)});
#undef FORMS
}

}  // namespace

UopKind kind_of(const ZydisInstruction& instruction) {
  if (const KindOfMnemonic* const entry = listed(instruction)) return entry->kind;
  if (serializes(instruction)) return UopKind::Serialize;
  if (is_hint(instruction)) return UopKind::Nop;
  if (instruction.info.meta.category == ZYDIS_CATEGORY_VFMA) return UopKind::FloatMultiply;
  const bool vector =
      has_register_of(instruction, {ZYDIS_REGCLASS_XMM, ZYDIS_REGCLASS_YMM, ZYDIS_REGCLASS_MMX, ZYDIS_REGCLASS_X87});
  if (vector || instruction.info.meta.category == ZYDIS_CATEGORY_X87_ALU) return UopKind::VectorAlu;
  return UopKind::IntegerAlu;
}

UopWidth width_of(const ZydisInstruction& instruction) {
  const KindOfMnemonic* const entry = listed(instruction);
  if ((entry != nullptr && entry->scalar) || is_scalar_fma(instruction)) return UopWidth::Scalar;
  if (has_register_of(instruction, {ZYDIS_REGCLASS_YMM})) return UopWidth::Avx;
  return has_register_of(instruction, {ZYDIS_REGCLASS_XMM}) ? UopWidth::Sse : UopWidth::Scalar;
}

}  // namespace warpfork::x86
