#include "ooo/issue_queue.h"

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

void IssueQueue::flush(const UopInFlight& uop) {
  if (uop.state == UopInFlight::State::Waiting || uop.state == UopInFlight::State::Ready) used_ -= !uop.free;
  if (uop.state == UopInFlight::State::Ready) {
    const unsigned list = list_of(uop);
    std::uint64_t place = ready_[list].end() - 1;
    while (ready_[list][place].order != uop.order) --place;
    remove(list, place);
  }
  std::erase(mask_waiters_[uop.warp], uop.number);
}

}  // namespace warpfork::ooo
