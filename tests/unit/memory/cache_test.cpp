#include "memory/cache.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "machines.h"

namespace warpfork::memory {
namespace cache_test {

using Outcome = Cache::Outcome;

MemoryRequest load(std::uint64_t address, std::uint32_t token) { return {address, 4, AccessKind::Load, 0, token}; }
MemoryRequest store(std::uint64_t address) { return {address, 32, AccessKind::Store, 0, 9}; }

CacheSpec one_set_of_two() {
  CacheSpec spec;
  spec.sets = 1;
  spec.ways = 2;
  return spec;
}

/// Brings a line in.
void fetch(Cache& cache, std::uint64_t line_address) {
  cache.access(load(line_address, 0), 0);
  cache.pop_outgoing();
  cache.fill(line_address, 0);
  cache.pop_ready();
}

TEST(Cache, asks_for_the_whole_line_when_four_bytes_miss) {
  Cache cache(testing::fermi_l1d());
  EXPECT_EQ(cache.access(load(0x1234, 5), 0), Outcome::Miss);
  ASSERT_NE(cache.outgoing(), nullptr);
  EXPECT_EQ(cache.outgoing()->address, 0x1200u);
  EXPECT_EQ(cache.outgoing()->bytes, 128u);
  cache.pop_outgoing();
  EXPECT_EQ(cache.outgoing(), nullptr);
}

TEST(Cache, hits_after_the_fill_and_not_before) {
  Cache cache(testing::fermi_l1d());
  cache.access(load(0x1200, 5), 0);
  EXPECT_EQ(cache.access(load(0x1240, 6), 1), Outcome::HitPending);
  cache.fill(0x1200, 2);
  EXPECT_EQ(cache.access(load(0x1240, 7), 3), Outcome::Hit);
}

TEST(Cache, does_a_read_at_once_if_it_hits_and_nothing_if_not) {
  Cache cache(testing::fermi_l1d());
  EXPECT_FALSE(cache.hit(0x1240, 8));
  cache.access(load(0x1200, 5), 0);
  EXPECT_FALSE(cache.hit(0x1240, 8)) << "its line is on its way";
  EXPECT_EQ(cache.statistics().accesses, 1u);
  cache.fill(0x1200, 2);
  EXPECT_TRUE(cache.hit(0x1240, 8));
  EXPECT_EQ(cache.statistics().hits, 1u);
  EXPECT_EQ(cache.statistics().accesses, 2u);
}

TEST(Cache, takes_a_read_done_at_once_for_a_use_of_the_line) {
  Cache cache(one_set_of_two());
  for (const std::uint64_t line : {0x000u, 0x080u}) fetch(cache, line);
  EXPECT_TRUE(cache.hit(0x000, 4));
  fetch(cache, 0x100);  // takes the place of the line that was used longest ago
  EXPECT_TRUE(cache.hit(0x000, 4));
  EXPECT_FALSE(cache.hit(0x080, 4));
}

TEST(Cache, readies_the_waiters_in_order_of_arrival) {
  Cache cache(testing::fermi_l1d());
  for (const std::uint32_t token : {5, 6, 7}) cache.access(load(0x1200, token), 0);
  EXPECT_FALSE(cache.has_ready());
  cache.fill(0x1200, 9);
  for (const std::uint32_t token : {5u, 6u, 7u}) EXPECT_EQ(cache.pop_ready(), token);
  EXPECT_FALSE(cache.has_ready());
}

TEST(Cache, refuses_the_ninth_waiter_of_a_line) {
  Cache cache(testing::fermi_l1d());
  for (unsigned i = 0; i < 8; ++i) EXPECT_NE(cache.access(load(0, i), 0), Outcome::ReservationFailed);
  EXPECT_EQ(cache.access(load(0, 8), 0), Outcome::ReservationFailed);
}

// A load may need a second place in the queue for its victim: of 8 places loads fill 7.
TEST(Cache, refuses_a_miss_when_the_miss_queue_is_full_and_takes_it_when_it_is_not) {
  Cache cache(testing::fermi_l1d());
  for (unsigned i = 0; i < 7; ++i) EXPECT_EQ(cache.access(load(i * 128, i), 0), Outcome::Miss);
  EXPECT_EQ(cache.access(load(7 * 128, 7), 0), Outcome::ReservationFailed);
  cache.pop_outgoing();
  EXPECT_EQ(cache.access(load(7 * 128, 7), 1), Outcome::Miss);
  EXPECT_EQ(cache.statistics().reservation_fails, 1u);
}

TEST(Cache, takes_other_reads_while_it_refuses_one_and_that_one_when_a_line_has_come) {
  Cache cache(one_set_of_two());
  cache.access(load(0x000, 0), 0);
  cache.access(load(0x080, 1), 0);
  for (Cycle now = 1; now < 4; ++now) EXPECT_EQ(cache.access(load(0x100, 2), now), Outcome::ReservationFailed);
  EXPECT_EQ(cache.access(load(0x080, 3), 4), Outcome::HitPending);
  EXPECT_EQ(cache.access(load(0x100, 2), 5), Outcome::ReservationFailed);
  cache.fill(0x080, 6);
  EXPECT_EQ(cache.access(load(0x100, 2), 6), Outcome::Miss);
  EXPECT_EQ(cache.statistics().reservation_fails, 4u);
}

// Of 8 places in the queue loads fill 7; a store that has all of a line needs one for its victim.
TEST(Cache, finds_a_line_that_a_store_has_made_since_its_read_was_refused) {
  CacheSpec spec = testing::fermi_l1d();
  spec.allocate_local_stores = true;
  Cache cache(spec);
  for (unsigned i = 0; i < 7; ++i) cache.access(load(i * 128, i), 0);
  EXPECT_EQ(cache.access(load(7 * 128, 7), 1), Outcome::ReservationFailed);
  EXPECT_EQ(cache.access({7 * 128, 128, AccessKind::Store, 0, 0}, 2, true), Outcome::Hit);
  EXPECT_EQ(cache.access(load(7 * 128, 7), 3), Outcome::Hit);
}

TEST(Cache, refuses_a_miss_when_every_way_of_the_set_is_on_its_way) {
  Cache cache(one_set_of_two());
  cache.access(load(0x000, 0), 0);
  cache.access(load(0x080, 1), 0);
  EXPECT_EQ(cache.access(load(0x100, 2), 0), Outcome::ReservationFailed);
  cache.fill(0x080, 1);
  EXPECT_EQ(cache.access(load(0x100, 2), 1), Outcome::Miss);
  EXPECT_EQ(cache.access(load(0x080, 3), 2), Outcome::ReservationFailed);  // it was replaced, and all are on their way
}

TEST(Cache, sends_a_global_store_on_and_drops_the_line_it_hits) {
  Cache cache(testing::fermi_l1d());
  fetch(cache, 0x1200);
  EXPECT_EQ(cache.access(store(0x1220), 1), Outcome::Miss);
  EXPECT_EQ(cache.outgoing()->kind, AccessKind::Store);
  EXPECT_EQ(cache.outgoing()->bytes, 32u);
  EXPECT_EQ(cache.outgoing()->token, 9u);
  cache.pop_outgoing();
  EXPECT_EQ(cache.access(load(0x1200, 1), 2), Outcome::Miss);
}

TEST(Cache, keeps_a_local_store_that_hits_and_writes_the_line_back_when_it_is_replaced) {
  CacheSpec spec;
  spec.sets = 1;
  spec.ways = 1;
  Cache cache(spec);
  fetch(cache, 0x000);
  EXPECT_EQ(cache.access(store(0x000), 1, true), Outcome::Hit);
  EXPECT_EQ(cache.outgoing(), nullptr);
  EXPECT_EQ(cache.access(load(0x080, 1), 2), Outcome::Miss);
  EXPECT_EQ(cache.outgoing()->kind, AccessKind::Load);
  cache.pop_outgoing();
  ASSERT_NE(cache.outgoing(), nullptr);
  EXPECT_EQ(cache.outgoing()->kind, AccessKind::WriteBack);
  EXPECT_EQ(cache.outgoing()->address, 0u);
  EXPECT_EQ(cache.outgoing()->bytes, 128u);
}

TEST(Cache, sends_a_local_store_that_misses_on_unless_it_may_allocate_a_whole_line) {
  CacheSpec spec;
  const MemoryRequest whole = {0x1200, 128, AccessKind::Store, 0, 9};
  Cache passing(spec);
  EXPECT_EQ(passing.access(whole, 0, true), Outcome::Miss);
  spec.allocate_local_stores = true;
  Cache allocating(spec);
  EXPECT_EQ(allocating.access(whole, 0, true), Outcome::Hit);
  EXPECT_EQ(allocating.access(load(0x1200, 1), 1), Outcome::Hit);
  EXPECT_EQ(allocating.access(store(0x2200), 2, true), Outcome::Miss);
}

TEST(Cache, takes_a_place_only_on_fill_when_it_allocates_on_fill) {
  CacheSpec spec;
  spec.sets = 1;
  spec.ways = 1;
  spec.allocate_on_fill = true;
  Cache cache(spec);
  fetch(cache, 0x000);
  EXPECT_EQ(cache.access(load(0x080, 1), 0), Outcome::Miss);
  EXPECT_EQ(cache.access(load(0x080, 2), 0), Outcome::HitPending);
  EXPECT_EQ(cache.access(load(0x000, 3), 0), Outcome::Hit);
  cache.fill(0x080, 1);
  EXPECT_EQ(cache.access(load(0x080, 4), 2), Outcome::Hit);
  EXPECT_EQ(cache.access(load(0x000, 5), 2), Outcome::Miss);
}

TEST(Cache, holds_its_port_as_long_as_a_wide_hit_needs) {
  CacheSpec spec;
  spec.data_port_bytes = 32;
  Cache cache(spec);
  fetch(cache, 0x000);
  const MemoryRequest wide = {0, 128, AccessKind::Load, 0, 0};
  EXPECT_EQ(cache.access(wide, 10), Outcome::Hit);
  EXPECT_EQ(cache.access(wide, 13), Outcome::ReservationFailed);
  EXPECT_EQ(cache.access(wide, 14), Outcome::Hit);
}

TEST(Cache, forgets_its_lines_but_not_its_misses_when_invalidated) {
  Cache cache(testing::fermi_l1d());
  fetch(cache, 0x1200);
  cache.access(load(0x2200, 4), 0);
  cache.invalidate();
  EXPECT_EQ(cache.access(load(0x1200, 1), 1), Outcome::Miss);
  cache.fill(0x2200, 2);
  EXPECT_EQ(cache.pop_ready(), 4u);
}

TEST(Cache, counts_every_accepted_access_once) {
  Cache cache(testing::fermi_l1d());
  fetch(cache, 0x1200);
  cache.access(load(0x1200, 1), 1);
  cache.access(load(0x2200, 1), 1);
  cache.access(load(0x2204, 1), 1);
  const CacheStatistics& counted = cache.statistics();
  EXPECT_EQ(counted.accesses, 4u);
  EXPECT_EQ(counted.hits, 1u);
  EXPECT_EQ(counted.misses, 2u);
  EXPECT_EQ(counted.hit_pending, 1u);
}

TEST(Cache, has_the_line_of_a_load_that_passes_and_not_that_of_a_store) {
  Cache cache(testing::fermi_l1d());
  EXPECT_FALSE(cache.pass(0x1240, false)) << "the next level has to do with it";
  EXPECT_TRUE(cache.pass(0x1244, false));
  EXPECT_TRUE(cache.hit(0x1200, 4));
  EXPECT_FALSE(cache.pass(0x1220, true));
  EXPECT_FALSE(cache.hit(0x1200, 4));
  EXPECT_EQ(cache.statistics().accesses, 1u);
  EXPECT_EQ(cache.outgoing(), nullptr);
}

TEST(Cache, takes_a_load_that_passes_for_a_use_of_the_line) {
  Cache cache(one_set_of_two());
  for (const std::uint64_t address : {0x000, 0x080, 0x000, 0x100}) cache.pass(address, false);
  EXPECT_TRUE(cache.hit(0x000, 4));
  EXPECT_FALSE(cache.hit(0x080, 4)) << "it was used the longest ago";
}

TEST(Cache, lets_loads_pass_that_find_their_line_on_its_way_or_no_place) {
  CacheSpec spec = one_set_of_two();
  for (const bool on_fill : {false, true}) {
    spec.allocate_on_fill = on_fill;
    Cache cache(spec);
    for (const std::uint64_t address : {0x000, 0x080}) cache.access(load(address, 1), 0);
    EXPECT_TRUE(cache.pass(0x000, false)) << on_fill;
    EXPECT_FALSE(cache.pass(0x100, false)) << on_fill;
    EXPECT_EQ(cache.hit(0x100, 4), on_fill) << "no line that is on its way makes room";
    for (const std::uint64_t address : {0x000, 0x080}) cache.fill(address, 1);
    EXPECT_TRUE(cache.hit(0x080, 4)) << on_fill;
  }
}

TEST(Cache, fails_loudly_when_a_line_arrives_that_nobody_asked_for) {
  Cache cache(testing::fermi_l1d());
  EXPECT_THROW(cache.fill(0x1200, 0), InvariantError);
}

TEST(Cache, counts_a_hit_as_a_use_of_the_line) {
  Cache cache(one_set_of_two());
  for (const std::uint64_t line : {0x000, 0x080}) fetch(cache, line);
  EXPECT_EQ(cache.access(load(0x000, 1), 1), Outcome::Hit);
  EXPECT_EQ(cache.access(load(0x100, 2), 2), Outcome::Miss);  // takes the place of the line at 0x080
  EXPECT_EQ(cache.access(load(0x000, 3), 3), Outcome::Hit);
}

// A is asked for again after B while both are on their way: B is what has not been used longest.
TEST(Cache, counts_a_hit_on_a_line_that_is_on_its_way_as_a_use_of_it) {
  Cache cache(one_set_of_two());
  cache.access(load(0x000, 0), 0);
  cache.access(load(0x080, 1), 1);
  EXPECT_EQ(cache.access(load(0x000, 2), 2), Outcome::HitPending);
  for (const std::uint64_t line : {0x000, 0x080}) cache.fill(line, 3);
  EXPECT_EQ(cache.access(load(0x100, 3), 4), Outcome::Miss);
  EXPECT_EQ(cache.access(load(0x000, 4), 5), Outcome::Hit);
}

}  // namespace cache_test
}  // namespace warpfork::memory
