#include "gpu/pending_reads.h"

#include <algorithm>

namespace warpfork::gpu {

bool PendingReads::hold_up(unsigned warp, Pc pc, ActiveMask lanes) const {
  return std::ranges::any_of(warps_[warp].readers, [&](const Reader& reader) {
    return table_->reads_what(reader.pc, pc) && (!lane_masks_ || reader.lanes.intersects(lanes));
  });
}

std::uint64_t PendingReads::remove(unsigned warp_slot, Pc pc, ActiveMask lanes) {
  Warp& warp = warps_[warp_slot];
  std::vector<Reader>& readers = warp.readers;
  const auto found =
      std::ranges::find_if(readers, [&](const Reader& reader) { return reader.pc == pc && reader.lanes == lanes; });
  if (found == readers.end()) return 0;
  const std::uint64_t read = found->read;
  *found = readers.back();
  readers.pop_back();
  warp.signature = 0;
  for (const Reader& reader : readers) warp.signature |= reader.read;
  return read;
}

}  // namespace warpfork::gpu
