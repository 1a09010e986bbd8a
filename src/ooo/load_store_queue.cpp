#include "ooo/load_store_queue.h"

namespace warpfork::ooo {

void LoadStoreQueue::enter(UopInFlight& uop) {
  ++used_;
  Warp& warp = warps_[uop.warp];
  if (uop.is_store()) {
    warp.stores.push(uop.number, uop.access, uop.bytes);
    if (uop.address_pending == 0) warp.stores.address_known(uop.number);
    return;
  }
  uop.store = warp.stores.blocking(uop.access, uop.bytes);
  if (uop.store == StoreQueue::kNone) return;
  issue_queue_.wait_for_store(uop);
  warp.waiting.push_back(uop.number);
}

void LoadStoreQueue::address_known(const UopInFlight& store) {
  warps_[store.warp].stores.address_known(store.number);
  wake_loads(store.warp, store.number);
}

void LoadStoreQueue::executed(const UopInFlight& store) {
  warps_[store.warp].stores.executed(store.number);
  wake_loads(store.warp, store.number);
}

void LoadStoreQueue::commit(const UopInFlight& uop) {
  --used_;
  if (uop.is_store()) warps_[uop.warp].stores.pop_oldest();
}

void LoadStoreQueue::flush(const UopInFlight& uop) {
  --used_;
  if (uop.is_store())
    warps_[uop.warp].stores.pop_youngest();
  else
    std::erase(warps_[uop.warp].waiting, uop.number);
}

/// The store holds nobody up any more, or less. A load may wait for another one then.
void LoadStoreQueue::wake_loads(unsigned warp, std::uint64_t store) {
  std::erase_if(warps_[warp].waiting, [&](std::uint64_t number) {
    UopInFlight& load = buffer_.at(warp, number);
    if (load.store != store) return false;
    load.store = warps_[warp].stores.blocking(load.access, load.bytes, load.number);
    if (load.store != StoreQueue::kNone) return false;
    issue_queue_.wake(load, WaitCause::Store);
    return true;
  });
}

}  // namespace warpfork::ooo
