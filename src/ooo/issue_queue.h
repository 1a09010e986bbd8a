// The issue queue of the out-of-order core: wake-up and select (SIMT-X Figure 2 and Table I).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ooo/reorder_buffer.h"

namespace warpfork::ooo {

/// A µop waits for registers, masks and, as a load, a store; with nothing left to wait for it may be selected, oldest
/// first. Free µops take no entry.
class IssueQueue {
 public:
  /// `registers`: physical ones.
  IssueQueue(unsigned entries, unsigned registers, unsigned warps, ReorderBuffer& buffer);

  bool has_room() const { return used_ < entries_; }
  /// The µop, which is new in the reorder buffer, takes an entry. The next three say what it waits for.
  void enter(const UopInFlight& uop) { used_ += !uop.free; }
  /// `address`: it needs the operand for a store's address.
  void wait_for(UopInFlight& uop, PhysicalRegister source, bool address = false) {
    if (ready_registers_[source] != 0) return;
    ++uop.pending;
    uop.address_pending += address;
    register_waiters_[source].push_back({uop.id(), address});
  }
  void wait_for_mask(UopInFlight& uop);
  void wait_for_store(UopInFlight& uop) { ++uop.pending; }
  /// If there is nothing that it waits for, it may issue.
  void settle(UopInFlight& uop) {
    if (uop.pending == 0) make_ready(uop);
  }

  /// A renamed µop will write the register; its value is there; what would have written it is flushed, youngest first.
  void allocate(PhysicalRegister physical) { ready_registers_[physical] = 0; }
  /// Calls address_known(store) for each store that has now all operands of its address.
  template <class AddressKnown>
  void wake(PhysicalRegister physical, AddressKnown&& address_known);
  void release(PhysicalRegister physical);
  /// Masks of the warp have become known: those of a µop for which known(uop) holds.
  template <class Known>
  void wake_masks(unsigned warp, Known&& known);
  /// The µop waits for one thing less.
  void wake(UopInFlight& uop, WaitCause cause) {
    --uop.pending;
    uop.waited = cause;
    settle(uop);
  }

  /// Of what may issue, oldest first, those leave for which issue(uop) holds.
  template <class Issue>
  bool select(Issue&& issue);
  bool may_select() const { return !ready_.empty(); }
  /// The youngest µop of its warp is taken back.
  void flush(const UopInFlight& uop);

 private:
  struct Waiter {
    UopId uop;
    bool address;
  };
  void make_ready(UopInFlight& uop);

  unsigned entries_, used_ = 0;
  ReorderBuffer& buffer_;
  std::vector<std::uint8_t> ready_registers_;             // by physical register
  std::vector<std::vector<Waiter>> register_waiters_;     // likewise
  std::vector<std::vector<std::uint64_t>> mask_waiters_;  // by warp
  std::vector<UopId> ready_;                              // by age
};

template <class AddressKnown>
void IssueQueue::wake(PhysicalRegister physical, AddressKnown&& address_known) {
  ready_registers_[physical] = 1;
  std::vector<Waiter>& waiters = register_waiters_[physical];
  for (const Waiter& waiter : waiters) {
    UopInFlight* const uop = buffer_.find(waiter.uop);
    if (uop == nullptr) continue;
    if (waiter.address && --uop->address_pending == 0) address_known(*uop);
    wake(*uop, WaitCause::Operand);
  }
  waiters.clear();
}

template <class Known>
void IssueQueue::wake_masks(unsigned warp, Known&& known) {
  std::erase_if(mask_waiters_[warp], [&](std::uint64_t number) {
    UopInFlight& uop = buffer_.at(warp, number);
    if (!known(uop)) return false;
    wake(uop, WaitCause::Mask);
    return true;
  });
}

template <class Issue>
bool IssueQueue::select(Issue&& issue) {
  std::size_t kept = 0;
  bool any = false;
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    const UopId entry = ready_[i];
    UopInFlight* const uop = buffer_.find(entry);
    if (uop == nullptr) continue;
    if (!issue(*uop)) {
      ready_[kept++] = entry;
      continue;
    }
    used_ -= !uop->free;
    any = true;
  }
  ready_.resize(kept);
  return any;
}

}  // namespace warpfork::ooo
