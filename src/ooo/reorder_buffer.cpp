#include "ooo/reorder_buffer.h"

namespace warpfork::ooo {

ReorderBuffer::ReorderBuffer(unsigned warps, unsigned entries, unsigned parts)
    : entries_(entries), used_(parts), queues_(warps) {}

UopInFlight& ReorderBuffer::push(unsigned warp, std::uint64_t instruction, bool free) {
  UopInFlight& uop = queues_[warp].push_new();
  uop.number = queues_[warp].end() - 1;
  uop.order = order_++;
  uop.instruction = instruction;
  uop.warp = static_cast<std::uint8_t>(warp);
  uop.free = free;
  uop.takes_width = !free;
  used_[part(warp)] += !free;
  return uop;
}

void ReorderBuffer::drop_oldest(unsigned warp) {
  used_[part(warp)] -= !oldest(warp).free;
  queues_[warp].drop_before(queues_[warp].begin() + 1);
}

void ReorderBuffer::drop_youngest(unsigned warp) {
  used_[part(warp)] -= !youngest(warp).free;
  queues_[warp].drop_from(queues_[warp].end() - 1);
}

}  // namespace warpfork::ooo
