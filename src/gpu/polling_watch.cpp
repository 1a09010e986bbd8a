#include "gpu/polling_watch.h"

#include <algorithm>
#include <cstring>

namespace warpfork::gpu {

using simt::InstructionKind;
using simt::MemorySpace;

namespace {

/// That make a sequence. Who asks as many words as half of the most, before he asks the first again, is not found.
constexpr std::size_t kFewestAccesses = 4, kMostAccesses = 1 << 18;

/// Steps of FNV-1a (Fowler, Noll, Vo), by words.
class AccessHash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Where an address of the access lies in the host's memory.
const std::byte* host_place(const simt::MemoryView& memory, MemorySpace space, std::uint64_t address) {
  return space == MemorySpace::Shared ? memory.shared + address
                                      : memory.device_base + (address - simt::DeviceMemory::kBase);
}

std::uint64_t hash_of(const simt::MemoryAccess& access, const simt::MemoryView& memory, Pc pc) {
  AccessHash hash;
  hash.add(pc);
  access.lanes.for_each([&](unsigned lane) {
    hash.add(access.address[lane]);
    const std::byte* bytes = host_place(memory, access.space, access.address[lane]);
    for (unsigned at = 0; at < access.bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min<std::size_t>(access.bytes - at, sizeof word));
      hash.add(word);
    }
  });
  return hash.value();
}

/// The shortest one with which the sequence repeats itself (Knuth, Morris and Pratt).
std::size_t shortest_period(const std::vector<std::uint64_t>& sequence) {
  std::vector<std::size_t> border(sequence.size() + 1, 0);  // of each beginning, the longest that is also its end
  for (std::size_t end = 1, length = 0; end < sequence.size(); ++end) {
    while (length != 0 && sequence[end] != sequence[length]) length = border[length];
    length += sequence[end] == sequence[length];
    border[end + 1] = length;
  }
  return sequence.size() - border.back();
}

}  // namespace

void PollingWatch::begin() {
  for (Heard& heard : heard_) {
    heard.accesses.clear();
    heard.is_for_others = heard.has_exited = false;
  }
}

void PollingWatch::stepped(const ResidentBlock& block, const Step& step) {
  const InstructionKind kind = step.instruction->kind;
  if (kind == InstructionKind::Arithmetic || kind == InstructionKind::Branch || step.executed.none()) return;
  heard_.resize(std::max<std::size_t>(heard_.size(), block.warps()));
  Heard& heard = heard_[step.warp];
  if (kind == InstructionKind::Exit) {
    heard.has_exited = true;
    return;
  }
  if (kind == InstructionKind::Barrier || kind == InstructionKind::MemoryBarrier) {
    heard.is_for_others = true;
    if (kind == InstructionKind::Barrier) add(heard, step.pc);
    return;
  }
  const simt::MemoryAccess& access = block.access(step);
  if ((access.space != MemorySpace::Global && access.space != MemorySpace::Shared) || access.bytes == 0) return;
  heard.is_for_others |= is_for_others(access, step.pc);
  add(heard, hash_of(access, block.warp(step.warp, 0).memory, step.pc));
}

void PollingWatch::add(Heard& heard, std::uint64_t hash) {
  if (heard.accesses.size() < kMostAccesses) heard.accesses.push_back(hash);
}

bool PollingWatch::is_for_others(const simt::MemoryAccess& access, Pc pc) const {
  if (access.is_atomic || (access.space == MemorySpace::Shared && !access.is_write)) return true;
  const ptx::Instruction& instruction = program_.function->body[pc];
  return instruction.has(ptx::Modifier::Volatile) || instruction.has(ptx::Modifier::Relaxed) ||
         instruction.has(ptx::Modifier::Acquire);
}

bool PollingWatch::polls(const Heard& heard) {
  return heard.is_for_others && !heard.has_exited && heard.accesses.size() >= kFewestAccesses &&
         2 * shortest_period(heard.accesses) <= heard.accesses.size();
}

bool PollingWatch::gets_nowhere(const ResidentBlock& block) const {
  bool any = false;
  for (WarpId warp = 0; warp < block.warps(); ++warp) {
    if (block.domain().finished(warp) || block.domain().runnable(warp).empty()) continue;
    if (!polls(warp)) return false;
    any = true;
  }
  return any;
}

}  // namespace warpfork::gpu
