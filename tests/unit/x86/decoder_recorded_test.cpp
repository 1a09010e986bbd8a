// The decoder's accesses against those that an emulator makes, in number, order, direction and size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "unit/x86/recorded_guest.h"
#include "x86/code_listing.h"
#include "x86/execution_reader.h"

namespace warpfork::x86 {
namespace decoder_recorded_test {

using Pieces = std::span<const RecordedAccess>;

/// Number of the pieces, at most 8 bytes each, that make up the access; 0 if they do not.
std::size_t pieces_of(const MemoryAccess& access, Pieces pieces) {
  std::size_t count = 0;
  unsigned bytes = 0;
  while (count < pieces.size() && bytes < access.bytes && pieces[count].store == access.store &&
         pieces[count].address == pieces[0].address + bytes)
    bytes += pieces[count++].bytes;
  return bytes == access.bytes ? count : 0;
}

/// QEMU makes one store of an atomic load and store, no access where a mask or a count of 0 leaves it out, of a masked
/// store those of its elements, and reads 16 bytes for the operand of a scalar fused multiply-add.
bool is_made_by_emulator(const StaticInstruction& instruction, Pieces pieces, const std::string& text) {
  if (instruction.repeats && pieces.empty()) return true;
  for (const MemoryAccess& access : instruction.accesses) {
    const std::size_t count = pieces_of(access, pieces);
    if (count == 0 && access.masked && access.store) {
      while (!pieces.empty() && pieces[0].store) pieces = pieces.subspan(1);
    } else if (count == 0 && !access.masked && !(instruction.atomic && !access.store)) {
      return false;
    }
    pieces = pieces.subspan(count);
  }
  const bool reads_16_bytes = text.starts_with("vfm") || text.starts_with("vfnm");
  return pieces.empty() || (reads_16_bytes && pieces.size() == 1 && !pieces[0].store);
}

TEST(DecoderRecorded, accesses_are_those_that_an_emulator_makes) {
  const RecordingFile file(record_guest("decoder_program"));
  const RecordedCode code(file.section(file.directory().code, "code"), "code");
  std::map<std::string, std::string> wrong;
  std::size_t executed = 0;
  for (std::uint32_t thread = 0; thread < file.directory().threads.size(); ++thread) {
    ExecutionReader reader(file, code, thread);
    for (ExecutedBlock block; reader.read(block);) {
      if (block.block == nullptr) continue;
      Pieces rest = block.accesses;
      for (unsigned number = 0; number < block.block->count; ++number, ++executed) {
        const StaticInstruction& instruction = *code.instructions(*block.block)[number];
        std::size_t count = 0;
        while (count < rest.size() && rest[count].instruction == number) ++count;
        const std::string text = disassemble(instruction.pc, code.code().bytes(instruction.pc));
        if (!is_made_by_emulator(instruction, rest.first(count), text)) wrong[text] = fmt::format("{} pieces", count);
        rest = rest.subspan(count);
      }
    }
  }
  EXPECT_GT(executed, 1'000'000u);
  for (const auto& [text, found] : wrong) ADD_FAILURE() << text << ": " << found;
}

}  // namespace decoder_recorded_test
}  // namespace warpfork::x86
