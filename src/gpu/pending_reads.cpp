#include "gpu/pending_reads.h"

#include <algorithm>

namespace warpfork::gpu {

bool PendingReads::hold_up(unsigned warp, Pc pc, ActiveMask lanes) const {
  return std::ranges::any_of(warps_[warp].readers, [&](const Reader& reader) {
    return table_->reads_what(reader.pc, pc) && (!lane_masks_ || reader.lanes.intersects(lanes));
  });
}

std::uint64_t PendingReads::remove(unsigned warp_slot, Pc pc, ActiveMask lanes) {
  const std::uint64_t read = table_->read(pc);
  if (read == 0) return 0;
  Warp& warp = warps_[warp_slot];
  const auto is_it = [&](const Reader& reader) { return reader.pc == pc && reader.lanes == lanes; };
  if (warp.readers.size() == 1 && is_it(warp.readers[0])) {  // as it is almost always
    warp.readers.clear();
    warp.signature = 0;
    return read;
  }
  bool found = false;
  auto kept = warp.readers.begin();
  warp.signature = 0;
  for (const Reader& reader : warp.readers) {
    if (!found && is_it(reader)) {
      found = true;
      continue;
    }
    warp.signature |= table_->read(reader.pc);
    *kept++ = reader;
  }
  warp.readers.erase(kept, warp.readers.end());
  return found ? read : 0;
}

}  // namespace warpfork::gpu
