#include "ooo/address_queue.h"

#include <algorithm>
#include <span>

#include "ooo/fetched.h"

namespace warpfork::ooo {

std::uint32_t AddressQueue::append(const x86::StaticInstruction& instruction, LaneMask lanes,
                                   const ExecutedByLane& executed) {
  if (instruction.repeats) return append_repeated(instruction, lanes, executed);
  const std::span<const x86::MemoryAccess> accesses = instruction.accesses;
  for (std::size_t access = 0; access < accesses.size(); ++access) {
    const std::uint64_t head = end();
    push() = 0;
    LaneMask made = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t address = executed[lane]->addresses[access];
      if (accesses[access].masked && address == 0) return;
      made |= LaneMask{1} << lane;
      push() = address;
    });
    (*this)[head] = made;
  }
  return 1;
}

/// Threads may iterate differently often.
std::uint32_t AddressQueue::append_repeated(const x86::StaticInstruction& instruction, LaneMask lanes,
                                            const ExecutedByLane& executed) {
  const std::size_t accesses = instruction.accesses.size();
  const std::size_t together = std::max(1u, kRepeatBytes / instruction.accesses[0].bytes);
  const auto iterations = [&](unsigned lane) { return executed[lane]->addresses.size() / accesses; };
  std::size_t most = 1;
  for_each_lane(lanes, [&](unsigned lane) { most = std::max(most, iterations(lane)); });
  for (std::size_t first = 0; first < most; first += together) {
    for (std::size_t access = 0; access < accesses; ++access) {
      const std::uint64_t head = end();
      push() = 0;
      LaneMask made = 0;
      for_each_lane(lanes, [&](unsigned lane) {
        if (first >= iterations(lane)) return;
        const std::size_t last = std::min(first + together, iterations(lane)) - 1;
        made |= LaneMask{1} << lane;
        push() = std::min(executed[lane]->addresses[first * accesses + access],
                          executed[lane]->addresses[last * accesses + access]);
      });
      (*this)[head] = made;
    }
  }
  return static_cast<std::uint32_t>((most + together - 1) / together);
}

}  // namespace warpfork::ooo
