// WarpFront: the addresses that what is fetched will access.
#include <algorithm>

#include "ooo/warp_front.h"

namespace warpfork::ooo {

void WarpFront::push_addresses(Fetched& fetched, const Recordings& recorded) {
  const std::span<const x86::MemoryAccess> accesses = fetched.instruction->accesses;
  if (accesses.empty()) return;
  if (fetched.instruction->repeats) return push_repeated(fetched, recorded);
  for (std::size_t access = 0; access < accesses.size(); ++access) {
    const std::uint64_t head = addresses_.end();
    addresses_.push() = 0;
    LaneMask made = 0;
    for_each_lane(fetched.lanes, [&](unsigned lane) {
      const std::uint64_t address = recorded[lane]->addresses[access];
      if (accesses[access].masked && address == 0) return;
      made |= LaneMask{1} << lane;
      addresses_.push() = address;
    });
    addresses_[head] = made;
  }
}

/// The iterations of a rep instruction come together as many as fit into one access; threads may iterate differently
/// often.
void WarpFront::push_repeated(Fetched& fetched, const Recordings& recorded) {
  const std::size_t accesses = fetched.instruction->accesses.size();
  const std::size_t together = std::max(1u, kRepeatBytes / fetched.instruction->accesses[0].bytes);
  const auto iterations = [&](unsigned lane) { return recorded[lane]->addresses.size() / accesses; };
  std::size_t most = 1;
  for_each_lane(fetched.lanes, [&](unsigned lane) { most = std::max(most, iterations(lane)); });
  fetched.repeats = static_cast<std::uint32_t>((most + together - 1) / together);
  for (std::size_t begin = 0; begin < most; begin += together) {
    for (std::size_t access = 0; access < accesses; ++access) {
      const std::uint64_t head = addresses_.end();
      addresses_.push() = 0;
      LaneMask made = 0;
      for_each_lane(fetched.lanes, [&](unsigned lane) {
        if (begin >= iterations(lane)) return;
        const std::size_t last = std::min(begin + together, iterations(lane)) - 1;
        made |= LaneMask{1} << lane;
        addresses_.push() = std::min(recorded[lane]->addresses[begin * accesses + access],
                                     recorded[lane]->addresses[last * accesses + access]);
      });
      addresses_[head] = made;
    }
  }
}

}  // namespace warpfork::ooo
