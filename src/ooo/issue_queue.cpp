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
  all_take_width_ &= uop.takes_width;
  const unsigned list = list_of(uop);
  std::vector<Ready>& ready = ready_[list];
  auto place = ready.end();
  while (place != ready.begin() && std::prev(place)->uop.order > uop.order) --place;
  ready.insert(place, {uop.id(), selects_ + 1});
  filled_ |= 1u << list;
}

void IssueQueue::remove(unsigned list, std::size_t place) {
  std::vector<Ready>& ready = ready_[list];
  ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(place));
  if (ready.empty()) filled_ &= ~(1u << list);
}

void IssueQueue::flush(const UopInFlight& uop) {
  if (uop.state == UopInFlight::State::Waiting || uop.state == UopInFlight::State::Ready) used_ -= !uop.free;
  if (uop.state == UopInFlight::State::Ready) {
    const unsigned list = list_of(uop);
    std::size_t place = ready_[list].size() - 1;
    while (ready_[list][place].uop.order != uop.order) --place;
    remove(list, place);
  }
  std::erase(mask_waiters_[uop.warp], uop.number);
}

}  // namespace warpfork::ooo
