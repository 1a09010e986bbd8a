// The load/store queue: room for both, and when a load may go before a store.
#include "ooo/load_store_queue.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace load_store_queue_test {

/// One warp of one lane, and two entries.
struct Accesses {
  explicit Accesses(Disambiguation disambiguation) : queue(2, disambiguation, buffer, issue_queue) {
    queue.add_warp(addresses);
  }

  UopInFlight& enter(x86::UopKind kind, std::uint64_t address, unsigned address_operands = 0) {
    UopInFlight& uop = buffer.push(0, 0, false);
    uop.kind = kind;
    uop.bytes = 8;
    uop.access = addresses.end();
    uop.address_pending = static_cast<std::uint8_t>(address_operands);
    addresses.push() = 1;
    addresses.push() = address;
    queue.enter(uop);
    return uop;
  }

  AddressQueue addresses;
  ReorderBuffer buffer{1, 16, 1};
  IssueQueue issue_queue{16, 4, 1, buffer};
  LoadStoreQueue queue;
};

TEST(LoadStoreQueue, has_room_for_loads_and_stores_together) {
  Accesses accesses(Disambiguation::Perfect);
  accesses.enter(x86::UopKind::Load, 0x10);
  EXPECT_TRUE(accesses.queue.has_room());
  accesses.enter(x86::UopKind::Store, 0x20);
  EXPECT_FALSE(accesses.queue.has_room());
  accesses.queue.commit(accesses.buffer.oldest(0));
  EXPECT_TRUE(accesses.queue.has_room());
}

TEST(LoadStoreQueue, holds_a_load_until_the_store_that_it_reads_has_executed) {
  Accesses accesses(Disambiguation::Perfect);
  UopInFlight& store = accesses.enter(x86::UopKind::Store, 0x10);
  const UopInFlight& load = accesses.enter(x86::UopKind::Load, 0x10);
  EXPECT_EQ(load.pending, 1u);
  accesses.queue.executed(store);
  EXPECT_EQ(load.pending, 0u);
  EXPECT_EQ(load.waited, WaitCause::Store);
}

TEST(LoadStoreQueue, lets_a_load_go_before_a_store_to_another_place) {
  Accesses accesses(Disambiguation::Perfect);
  accesses.enter(x86::UopKind::Store, 0x20);
  EXPECT_EQ(accesses.enter(x86::UopKind::Load, 0x10).pending, 0u);
}

TEST(LoadStoreQueue, holds_a_load_until_it_knows_the_addresses_of_older_stores) {
  Accesses accesses(Disambiguation::Addresses);
  EXPECT_TRUE(accesses.queue.waits_for_addresses());
  UopInFlight& store = accesses.enter(x86::UopKind::Store, 0x20, 1);
  const UopInFlight& load = accesses.enter(x86::UopKind::Load, 0x10);
  EXPECT_EQ(load.pending, 1u);
  accesses.queue.address_known(store);
  EXPECT_EQ(load.pending, 0u);
}

TEST(LoadStoreQueue, forgets_a_load_that_is_flushed) {
  Accesses accesses(Disambiguation::Stores);
  UopInFlight& store = accesses.enter(x86::UopKind::Store, 0x10);
  accesses.queue.flush(accesses.enter(x86::UopKind::Load, 0x10));
  accesses.buffer.drop_youngest(0);
  const UopInFlight& next = accesses.buffer.push(0, 1, false);  // at the load's number
  accesses.queue.executed(store);
  EXPECT_EQ(next.waited, WaitCause::Nothing);
  EXPECT_TRUE(accesses.queue.has_room());
}

}  // namespace load_store_queue_test
}  // namespace warpfork::ooo
