// Every instruction of a static program and its libraries: some 200 thousand, of all extensions that glibc chooses
// from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "unit/x86/decoder_invariants.h"
#include "x86/code.h"
#include "x86/code_image.h"
#include "x86/code_listing.h"

namespace warpfork::x86 {
namespace decoder_program_test {

using Bytes = std::span<const std::uint8_t>;

struct Branch {
  BranchKind kind = BranchKind::None;
  std::uint64_t target = 0;
};

/// Offset of the opcode: behind legacy prefixes and REX.
std::size_t opcode_of(Bytes bytes) {
  constexpr std::string_view kPrefixes = "\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65\x66\x67";
  std::size_t opcode = 0;
  while (kPrefixes.find(static_cast<char>(bytes[opcode])) != std::string_view::npos) ++opcode;
  return opcode + ((bytes[opcode] & 0xf0) == 0x40 ? 1 : 0);
}

/// The signed number in the last bytes of an instruction, from its end on.
std::uint64_t relative(std::uint64_t pc, Bytes bytes, bool is_short) {
  if (is_short) return pc + bytes.size() + static_cast<std::uint64_t>(static_cast<std::int8_t>(bytes.back()));
  std::uint32_t offset = 0;
  for (std::size_t index = 0; index < 4; ++index)
    offset |= std::uint32_t{bytes[bytes.size() - 4 + index]} << (8 * index);
  return pc + bytes.size() + static_cast<std::uint64_t>(static_cast<std::int32_t>(offset));
}

/// By the opcode maps of the Intel SDM, volume 2, appendix A: without Zydis.
Branch branch_by_opcode(std::uint64_t pc, Bytes bytes) {
  const std::size_t at = opcode_of(bytes);
  const unsigned opcode = bytes[at];
  const unsigned next = at + 1 < bytes.size() ? bytes[at + 1] : 0;
  if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
    return {BranchKind::Conditional, relative(pc, bytes, true)};
  if (opcode == 0x0f && (next & 0xf0) == 0x80) return {BranchKind::Conditional, relative(pc, bytes, false)};
  if (opcode == 0xc7 && next == 0xf8) return {BranchKind::Conditional, relative(pc, bytes, false)};  // xbegin
  if (opcode == 0xe8) return {BranchKind::Call, relative(pc, bytes, false)};
  if (opcode == 0xe9 || opcode == 0xeb) return {BranchKind::Jump, relative(pc, bytes, opcode == 0xeb)};
  if (opcode == 0xc2 || opcode == 0xc3) return {BranchKind::Return, 0};
  if (opcode == 0xff && (next >> 3 & 7) == 2) return {BranchKind::IndirectCall, 0};
  if (opcode == 0xff && (next >> 3 & 7) == 4) return {BranchKind::IndirectJump, 0};
  return {};
}

class DecodedProgram : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    image_ = std::make_unique<CodeImage>(TEST_DECODER_PROGRAM);
    code_ = std::make_unique<Code>();
    for (const CodeSection& section : image_->sections())
      image_->sweep(section.address, section.end(), [](std::uint64_t pc, Bytes bytes, bool decodes) {
        if (decodes)
          decode(pc, bytes);
        else
          ++undecoded_;
      });
  }
  static void TearDownTestSuite() { code_.reset(), image_.reset(); }

  static void decode(std::uint64_t pc, Bytes bytes) {
    try {
      code_->add(pc, bytes);
    } catch (const Error& error) {
      const std::string_view message = error.what();
      refused_[pc] = message.substr(message.rfind(": ") + 2);
    }
  }

  static inline std::unique_ptr<CodeImage> image_;
  static inline std::unique_ptr<Code> code_;
  static inline std::map<std::uint64_t, std::string> refused_;
  static inline unsigned undecoded_ = 0;
};

TEST_F(DecodedProgram, is_refused_nowhere_but_in_versions_for_avx512_and_for_fma4) {  // of functions of libc and libm
  EXPECT_GT(code_->size(), 100'000u);
  EXPECT_EQ(undecoded_, 0u);
  for (const auto& [pc, why] : refused_)
    ASSERT_THAT(why, ::testing::AnyOf("AVX-512 is not supported",
                                      "instructions that only processors of AMD had are not supported"))
        << image_->symbols().text(pc);
}

TEST_F(DecodedProgram, keeps_all_invariants) {
  for (const StaticInstruction* const instruction : code_->all())
    ASSERT_EQ(broken_invariant(*instruction), "")
        << list_instruction(*instruction, code_->bytes(instruction->pc), image_->symbols());
}

TEST_F(DecodedProgram, branches_as_its_opcodes_say) {
  std::size_t branches = 0;
  for (const StaticInstruction* const instruction : code_->all()) {
    const Branch expected = branch_by_opcode(instruction->pc, code_->bytes(instruction->pc));
    branches += expected.kind != BranchKind::None;
    ASSERT_EQ(instruction->branch, expected.kind)
        << list_instruction(*instruction, code_->bytes(instruction->pc), image_->symbols());
    ASSERT_EQ(instruction->target, expected.target) << instruction->pc;
  }
  EXPECT_GT(branches, 10'000u);
}

TEST_F(DecodedProgram, jumps_only_to_instructions_or_behind_a_lock_prefix) {
  for (const StaticInstruction* const instruction : code_->all()) {
    const std::uint64_t target = instruction->target;
    if (target == 0 || code_->at(target) != nullptr || refused_.contains(target)) continue;
    const Bytes locked = code_->bytes(target - 1);
    ASSERT_TRUE(!locked.empty() && locked[0] == 0xf0) << image_->symbols().text(instruction->pc);
  }
}

}  // namespace decoder_program_test
}  // namespace warpfork::x86
