// The reorder buffer: whose entries are whose, order, and what has been flushed.
#include "ooo/reorder_buffer.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace reorder_buffer_test {

TEST(ReorderBuffer, shares_its_entries_among_the_warps) {
  ReorderBuffer buffer(2, 3, 1);
  buffer.push(0, 0, false);
  buffer.push(0, 1, false);
  EXPECT_TRUE(buffer.has_room(1));
  buffer.push(1, 0, false);
  EXPECT_FALSE(buffer.has_room(0));
  EXPECT_FALSE(buffer.has_room(1));
  buffer.drop_oldest(0);
  EXPECT_TRUE(buffer.has_room(1));
}

TEST(ReorderBuffer, gives_each_warp_its_part) {
  ReorderBuffer buffer(2, 3, 2);  // one entry each: the third is nobody's
  buffer.push(0, 0, false);
  EXPECT_FALSE(buffer.has_room(0));
  EXPECT_TRUE(buffer.has_room(1));
}

TEST(ReorderBuffer, has_no_entries_for_free_uops) {
  ReorderBuffer buffer(1, 1, 1);
  EXPECT_FALSE(buffer.push(0, 0, true).takes_width);
  EXPECT_TRUE(buffer.has_room(0));
  EXPECT_TRUE(buffer.push(0, 0, false).takes_width);
  EXPECT_FALSE(buffer.has_room(0));
  buffer.drop_oldest(0);
  EXPECT_FALSE(buffer.has_room(0));
}

TEST(ReorderBuffer, ages_uops_among_all_warps_and_numbers_them_by_warp) {
  ReorderBuffer buffer(2, 8, 1);
  buffer.push(0, 0, false);
  const UopInFlight& other = buffer.push(1, 0, false);
  EXPECT_EQ(other.order, 1u);
  EXPECT_EQ(other.number, 0u);
  EXPECT_EQ(other.warp, 1u);
}

TEST(ReorderBuffer, does_not_find_what_has_been_flushed) {
  ReorderBuffer buffer(1, 8, 1);
  const UopId id = buffer.push(0, 0, false).id();
  EXPECT_EQ(buffer.find(id), &buffer.youngest(0));
  buffer.drop_youngest(0);
  EXPECT_EQ(buffer.find(id), nullptr);
  buffer.push(0, 0, false);  // at the same number
  EXPECT_EQ(buffer.find(id), nullptr);
}

}  // namespace reorder_buffer_test
}  // namespace warpfork::ooo
