#include "memory/tag_array.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::memory {
namespace tag_array_test {

TEST(TagArray, replaces_the_least_recently_used_line_of_the_set) {
  TagArray tags(1, 2, 128, false);
  tags.replace(tags.victim(10), 10);
  tags.replace(tags.victim(11), 11);
  tags.touch(tags.find(10));
  EXPECT_EQ(tags.line(tags.victim(12)), 11u);
}

TEST(TagArray, never_replaces_a_line_with_a_fetch_under_way) {
  TagArray tags(1, 2, 128, false);
  for (const std::uint64_t line : {10, 11}) {
    tags.replace(tags.victim(line), line);
    tags.state(tags.find(line)).pending = 1;
  }
  EXPECT_EQ(tags.victim(12), TagArray::kNone);
  tags.state(tags.find(11)).pending = 0;
  EXPECT_EQ(tags.victim(12), tags.find(11));
}

TEST(TagArray, drops_every_line_but_those_under_way) {
  TagArray tags(2, 1, 128, false);
  tags.replace(tags.victim(0), 0);
  tags.replace(tags.victim(1), 1);
  tags.state(tags.find(1)).pending = 1;
  tags.drop_all();
  EXPECT_EQ(tags.find(0), TagArray::kNone);
  EXPECT_NE(tags.find(1), TagArray::kNone);
}

// Address bits 7 to 11 exclusive-or {13, 14, 15, 17, 19}, by hand: one address bit at a time.
TEST(TagArray, hashes_the_set_index_as_fermi_does) {
  const TagArray tags(32, 4, 128, true);
  const auto set = [&](unsigned bit) { return tags.set_of((std::uint64_t{1} << bit) / 128); };
  EXPECT_EQ(set(7), 1u);
  EXPECT_EQ(set(11), 16u);
  EXPECT_EQ(set(12), 0u);
  EXPECT_EQ(set(13), 1u);
  EXPECT_EQ(set(15), 4u);
  EXPECT_EQ(set(16), 0u);
  EXPECT_EQ(set(17), 8u);
  EXPECT_EQ(set(19), 16u);
  EXPECT_EQ(tags.set_of(((1u << 7) | (1u << 13)) / 128), 0u);
}

TEST(TagArray, takes_bit12_as_the_sixth_index_bit_of64_sets) {
  const TagArray tags(64, 6, 128, true);
  EXPECT_EQ(tags.set_of((1u << 12) / 128), 32u);
}

TEST(TagArray, refuses_shapes_it_cannot_index) {
  EXPECT_THROW(TagArray(24, 4, 128, false), Error);
  EXPECT_THROW(TagArray(128, 4, 128, true), Error);
  EXPECT_THROW(TagArray(32, 4, 96, false), Error);
}

}  // namespace tag_array_test
}  // namespace warpfork::memory
