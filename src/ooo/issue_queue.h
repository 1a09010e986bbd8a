// The issue queue of the out-of-order core: wake-up and select (SIMT-X Figure 2 and Table I).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "ooo/by_age.h"
#include "ooo/functional_units.h"
#include "ooo/numbered_queue.h"
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

  /// Of what may issue, oldest first, those leave for which issue(uop) holds, up to `width` that take width. Nobody is
  /// asked whose unit is not free(unit).
  template <class Free, class Issue>
  bool select(unsigned width, Free&& free, Issue&& issue);
  bool may_select() const { return filled_ != 0; }
  /// The youngest µop of its warp is taken back.
  void flush(const UopInFlight& uop);

 private:
  struct Waiter {
    UopId uop;
    bool address;
  };
  static unsigned list_of(const UopInFlight& uop) {
    return static_cast<unsigned>(uop.free ? Unit::None : FunctionalUnits::unit_of(uop.kind));
  }
  void make_ready(UopInFlight& uop);
  void remove(unsigned list, std::uint64_t place);

  unsigned entries_, used_ = 0;
  ReorderBuffer& buffer_;
  std::vector<std::uint8_t> ready_registers_;             // by physical register
  std::vector<std::vector<Waiter>> register_waiters_;     // likewise
  std::vector<std::vector<std::uint64_t>> mask_waiters_;  // by warp
  std::array<NumberedQueue<UopId>, kUnits + 1> ready_;    // by unit that it needs: by age
  unsigned filled_ = 0;                                   // a bit for each of these that is not empty
  std::uint64_t selects_ = 0;                             // calls so far
  bool all_take_width_ = true;                            // so far
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

template <class Free, class Issue>
bool IssueQueue::select(unsigned width, Free&& free, Issue&& issue) {
  ++selects_;
  if (filled_ == 0) return false;
  bool any = false;
  std::array<std::uint64_t, kUnits + 1> next;   // by list: who is asked next
  std::array<std::uint64_t, kUnits + 1> order;  // of that one
  unsigned open = 0;                            // a bit for each list that has one, whose unit is free
  const auto look_at = [&](unsigned list) {
    const NumberedQueue<UopId>& ready = ready_[list];
    open &= ~(1u << list);
    if (next[list] == ready.end() || !free(static_cast<Unit>(list))) return;
    open |= 1u << list;
    order[list] = ready[next[list]].order;
  };
  for (unsigned lists = filled_; lists != 0; lists &= lists - 1) {
    const auto list = static_cast<unsigned>(std::countr_zero(lists));
    next[list] = ready_[list].begin();
    look_at(list);
  }
  while (open != 0 && (width != 0 || !all_take_width_)) {
    auto list = static_cast<unsigned>(std::countr_zero(open));
    for (unsigned others = open & (open - 1); others != 0; others &= others - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(others));
      list = order[other] < order[list] ? other : list;
    }
    UopInFlight& uop = buffer_.at(ready_[list][next[list]]);
    if (uop.ready_since != selects_) uop.waited = uop.issues_alone() ? WaitCause::Turn : WaitCause::Unit;
    if ((width != 0 || !uop.takes_width) && issue(uop)) {
      any = true;
      width -= uop.takes_width;
      used_ -= !uop.free;
      remove(list, next[list]);
    }
    ++next[list];
    look_at(list);
  }
  return any;
}

inline void IssueQueue::make_ready(UopInFlight& uop) {
  uop.state = UopInFlight::State::Ready;
  all_take_width_ &= uop.takes_width;
  uop.ready_since = selects_ + 1;
  const unsigned list = list_of(uop);
  NumberedQueue<UopId>& ready = ready_[list];
  ready.push();
  place_by_age(ready, ready.begin(), ready.end() - 1, uop.id());
  filled_ |= 1u << list;
}

inline void IssueQueue::remove(unsigned list, std::uint64_t place) {
  ready_[list].erase(place);
  if (ready_[list].empty()) filled_ &= ~(1u << list);
}

}  // namespace warpfork::ooo
