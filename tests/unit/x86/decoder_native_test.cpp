// The decoder's sources and destinations against this computer.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "unit/x86/decoder_forms.h"
#include "unit/x86/decoder_subject.h"
#include "x86/code_listing.h"

namespace warpfork::x86 {
namespace decoder_native_test {

#define SKIP_UNLESS_ABLE() \
  if (!NativeMachine::is_able()) GTEST_SKIP() << "this computer lacks AVX2 or another extension that the forms use"

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Forms that name a source which cannot show: cmp of a register with itself (cores do not take it for an idiom);
/// cmpxchg, which selects between equal values; memory that is not the test's.
bool hides_a_source(const Form& form) {
  return form.assembly == "cmp rbx, rbx" || contains(form.assembly, "cmpxchg") ||
         contains(form.assembly, "[rip+0x40]") || contains(form.assembly, "fs:");
}

TEST(DecoderNative, no_result_depends_on_what_the_uops_do_not_name_and_nothing_is_named_in_vain) {
  SKIP_UNLESS_ABLE();
  NativeMachine machine;
  unsigned run = 0;
  for (const Form& form : decoder_forms()) {
    DecoderSubject subject(form.bytes, machine);
    if (!subject.is_runnable()) continue;
    EXPECT_EQ(subject.contradiction(80), "") << form.assembly;
    run += subject.has_run();
    if (!subject.has_run() || hides_a_source(form)) continue;
    EXPECT_EQ(subject.vain_source(), "") << form.assembly;
  }
  EXPECT_GT(run, 250u);
}

/// Every opcode of the one-, two- and three-byte maps with each prefix, as SSE and as VEX; one of each kind of
/// operands.
class Opcodes {
 public:
  std::vector<std::vector<std::uint8_t>> all() {
    for (unsigned prefix = 0; prefix < 4; ++prefix)
      for (unsigned map = 0; map < 4; ++map)
        for (unsigned opcode = 0; opcode < 256; ++opcode)
          for (unsigned modrm = 0; modrm < 16; ++modrm) {
            add_legacy(prefix, map, opcode, modrm);
            if (map > 0) add_vex(prefix, map, opcode, modrm);
          }
    return std::move(found_);
  }

 private:
  static constexpr std::uint8_t kFill = 0x05;  // displacement and immediate

  /// `modrm`: three bits for the register, or more of the opcode; one for [rdi] or register 3 as the other operand.
  static std::uint8_t modrm_byte(unsigned modrm) {
    return static_cast<std::uint8_t>((modrm & 7) << 3 | ((modrm & 8) != 0 ? 0xc3 : 0x07));
  }

  void add_legacy(unsigned prefix, unsigned map, unsigned opcode, unsigned modrm) {
    static constexpr std::array<std::uint8_t, 4> kPrefixes = {0, 0x66, 0xf3, 0xf2}, kMaps = {0, 0, 0x38, 0x3a};
    for (const bool wide : {false, true}) {
      std::vector<std::uint8_t> bytes;
      if (prefix != 0) bytes.push_back(kPrefixes[prefix]);
      if (wide) bytes.push_back(0x48);
      if (map > 0) bytes.push_back(0x0f);
      if (map > 1) bytes.push_back(kMaps[map]);
      bytes.push_back(static_cast<std::uint8_t>(opcode));
      bytes.push_back(modrm_byte(modrm));
      add(bytes);
    }
  }

  void add_vex(unsigned prefix, unsigned map, unsigned opcode, unsigned modrm) {
    for (unsigned bits = 0; bits < 4; ++bits)      // W, L
      for (const unsigned other : {0u, 2u, 3u}) {  // the register of vvvv; 0 is none for some
        const auto last = static_cast<std::uint8_t>((bits & 2) << 6 | (~other & 15) << 3 | (bits & 1) << 2 | prefix);
        add({0xc4, static_cast<std::uint8_t>(0xe0 | map), last, static_cast<std::uint8_t>(opcode), modrm_byte(modrm)});
      }
  }

  void add(std::vector<std::uint8_t> bytes) {
    bytes.resize(bytes.size() + 9, kFill);
    bytes.resize(instruction_length(bytes));
    if (bytes.empty()) return;
    try {
      if (kinds_.insert(kind_of_operands(read_instruction(0, bytes))).second) found_.push_back(bytes);
    } catch (const Error&) {  // not supported
    }
  }

  /// Mnemonic, encoding, and of each operand its type, size and class, and which earlier one it equals.
  static std::vector<unsigned> kind_of_operands(const ZydisInstruction& read) {
    std::vector<unsigned> kind = {read.info.mnemonic, static_cast<unsigned>(read.info.encoding)};
    for (const ZydisDecodedOperand& operand : read.operands()) {
      kind.insert(kind.end(), {static_cast<unsigned>(operand.type), operand.size});
      if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
      kind.push_back(static_cast<unsigned>(ZydisRegisterGetClass(operand.reg.value)));
      for (const ZydisDecodedOperand& other : read.operands()) {
        if (other.type == ZYDIS_OPERAND_TYPE_REGISTER && other.reg.value == operand.reg.value) {
          kind.push_back(other.id);
          break;
        }
      }
    }
    return kind;
  }

  std::set<std::vector<unsigned>> kinds_;
  std::vector<std::vector<std::uint8_t>> found_;
};

TEST(DecoderNative, no_result_depends_on_what_the_uops_do_not_name_for_any_opcode) {
  SKIP_UNLESS_ABLE();
  NativeMachine machine;
  unsigned run = 0;
  for (const std::vector<std::uint8_t>& bytes : Opcodes().all()) {
    DecoderSubject subject(bytes, machine);
    if (!subject.is_runnable()) continue;
    EXPECT_EQ(subject.contradiction(8), "") << disassemble(0, bytes) << fmt::format("  {:02x}", fmt::join(bytes, " "));
    run += subject.has_run();
  }
  EXPECT_GT(run, 2000u);
  RecordProperty("instructions", static_cast<int>(run));
}

}  // namespace decoder_native_test
}  // namespace warpfork::x86
