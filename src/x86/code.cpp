#include "x86/code.h"

#include <algorithm>

#include "base/error.h"
#include "x86/decoder.h"

namespace warpfork::x86 {

const StaticInstruction& Code::add(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  if (const Entry* const known = find(pc)) {
    const std::span<const std::uint8_t> before(known->bytes.data(), known->instruction.length);
    if (!std::ranges::equal(before, bytes))
      throw Error(
          "{:#x}: the code here was {:02x} and is {:02x} now: programs that change their code are not supported", pc,
          fmt::join(before, " "), fmt::join(bytes, " "));
    return known->instruction;
  }
  const Decoding decoding = decode(pc, bytes);
  Entry& entry = entries_.emplace_back();
  entry.instruction = decoding.instruction;
  entry.instruction.uops = uops_.keep(decoding.uops);
  entry.instruction.accesses = accesses_.keep(decoding.accesses);
  std::ranges::copy(bytes, entry.bytes.begin());
  if (2 * entries_.size() > slots_.size()) grow();
  enter(entry);
  return entry.instruction;
}

std::span<const std::uint8_t> Code::bytes(std::uint64_t pc) const {
  const Entry* const entry = find(pc);
  if (entry == nullptr) return {};
  return {entry->bytes.data(), entry->instruction.length};
}

std::vector<const StaticInstruction*> Code::all() const {
  std::vector<const StaticInstruction*> all;
  for (const Entry& entry : entries_) all.push_back(&entry.instruction);
  std::ranges::sort(all, {}, &StaticInstruction::pc);
  return all;
}

void Code::enter(const Entry& entry) {
  std::size_t slot = home(entry.instruction.pc);
  while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = &entry;
}

/// Doubles the table; the newest instruction is entered by the caller.
void Code::grow() {
  slots_.assign(2 * slots_.size(), nullptr);
  --shift_;
  for (std::size_t index = 0; index + 1 < entries_.size(); ++index) enter(entries_[index]);
}

}  // namespace warpfork::x86
