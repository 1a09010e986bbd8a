#include "ooo/issue_queue.h"

#include <iterator>

namespace warpfork::ooo {

IssueQueue::IssueQueue(unsigned entries, unsigned registers, unsigned warps, ReorderBuffer& buffer)
    : entries_(entries),
      buffer_(buffer),
      ready_registers_(registers, 1),
      register_waiters_(registers),
      mask_waiters_(warps) {}

void IssueQueue::wait_for_mask(UopInFlight& uop) {
  ++uop.pending;
  mask_waiters_[uop.warp].push_back(uop.number);
}

void IssueQueue::release(PhysicalRegister physical) {
  register_waiters_[physical].clear();
  ready_registers_[physical] = 1;
}

void IssueQueue::make_ready(UopInFlight& uop) {
  uop.state = UopInFlight::State::Ready;
  auto place = ready_.end();
  while (place != ready_.begin() && std::prev(place)->order > uop.order) --place;
  ready_.insert(place, uop.id());
}

/// Its place among those that may issue goes when these are looked at again.
void IssueQueue::flush(const UopInFlight& uop) {
  if (uop.state == UopInFlight::State::Waiting || uop.state == UopInFlight::State::Ready) used_ -= !uop.free;
  std::erase(mask_waiters_[uop.warp], uop.number);
}

}  // namespace warpfork::ooo
