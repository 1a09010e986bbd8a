#include "x86/recorded_code.h"

#include <algorithm>

#include "base/error.h"
#include "x86/byte_text.h"
#include "x86/decoder.h"

namespace warpfork::x86 {

namespace {

/// Calls visit(pc, number of instructions, their text) for every block.
template <typename Visit>
void for_each_block(std::span<const std::uint8_t> bytes, const std::string& what, Visit visit) {
  ByteReader in(bytes, what);
  while (!in.is_at_end()) {
    const auto pc = in.take<std::uint64_t>();
    const auto count = in.take<std::uint32_t>();
    visit(pc, count, in.take_bytes(in.take<std::uint32_t>()));
  }
}

}  // namespace

RecordedCode::RecordedCode(std::span<const std::uint8_t> bytes, const std::string& what) {
  for_each_block(bytes, what, [&](std::uint64_t pc, std::uint32_t count, std::span<const std::uint8_t> text) {
    add_block(pc, count, text, what);
  });
}

void RecordedCode::add_block(std::uint64_t pc, std::uint32_t listed, std::span<const std::uint8_t> text,
                             const std::string& what) {
  RecordedBlock block{pc, slots_, listed, 0, instructions_.size()};
  ByteReader in(text, what);
  for (std::uint32_t number = 0; number < listed; ++number) {
    const auto instruction = in.take_bytes(in.take<std::uint8_t>());
    // An instruction that crosses a page begins the next block. If it is not alone, this one lists what lay before the
    // page's end.
    const bool is_cut_off = number > 0 && number + 1 == listed && instruction_length(instruction) == 0;
    if (is_cut_off) break;
    instructions_.push_back(&code_.add(pc, instruction));
    pc += instruction.size();
    ++block.count;
  }
  if (block.count == 0) throw Error("{}: has a block without instructions; it is damaged", what);
  slots_ += listed;
  blocks_.push_back(block);
}

void for_each_instruction(std::span<const std::uint8_t> bytes, const std::string& what,
                          const std::function<void(std::uint64_t, std::span<const std::uint8_t>)>& visit) {
  for_each_block(bytes, what, [&](std::uint64_t pc, std::uint32_t count, std::span<const std::uint8_t> text) {
    ByteReader in(text, what);
    for (; count > 0; --count) {
      const auto instruction = in.take_bytes(in.take<std::uint8_t>());
      visit(pc, instruction);
      pc += instruction.size();
    }
  });
}

std::vector<std::uint64_t> instruction_addresses(std::span<const std::uint8_t> bytes, const std::string& what) {
  std::vector<std::uint64_t> addresses;
  for_each_instruction(bytes, what, [&](std::uint64_t pc, auto) { addresses.push_back(pc); });
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

}  // namespace warpfork::x86
