// Coalescing after compute capability 2.0 (gtx480.md, "Coalescing", "Shared memory"): expected values by hand.
#include "memory/coalescer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

namespace warpfork::memory {
namespace coalescer_test {

using ::testing::ElementsAre;

constexpr std::uint64_t kBase = 0xC0000000;
using Addresses = std::array<std::uint64_t, kMaxWarpSize>;
using Rule = unsigned (*)(std::span<const std::uint64_t>, ActiveMask, unsigned, std::span<Segment>);

template <unsigned kLineBytes>
unsigned by_lines_of(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                     std::span<Segment> room) {
  return coalesce(address, lanes, bytes, kLineBytes, room);
}

/// (offset from kBase, bytes) of each segment; lane i accesses kBase + offset(i).
std::vector<std::pair<std::uint64_t, std::uint32_t>> segments(Rule rule, unsigned bytes,
                                                              const std::function<std::uint64_t(unsigned)>& offset,
                                                              ActiveMask lanes = ActiveMask(~0u)) {
  Addresses address{};
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) address[lane] = kBase + offset(lane);
  std::array<Segment, kMaxWarpSize> room;
  const unsigned count = rule(address, lanes, bytes, room);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found;
  for (unsigned i = 0; i < count; ++i) found.emplace_back(room[i].address - kBase, room[i].bytes);
  return found;
}

auto in_a_row(unsigned bytes, std::uint64_t start = 0) {
  return [=](unsigned lane) { return start + std::uint64_t{bytes} * lane; };
}

using Pair = std::pair<std::uint64_t, std::uint32_t>;

TEST(Coalescer, words_in_a_row_are_one_line) {
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4)), ElementsAre(Pair(0, 128)));
}

TEST(Coalescer, wider_elements_in_a_row_take_a_line_for_each_128_bytes) {
  EXPECT_THAT(segments(by_lines_of<128>, 8, in_a_row(8)), ElementsAre(Pair(0, 128), Pair(128, 128)));
  EXPECT_EQ(segments(by_lines_of<128>, 16, in_a_row(16)).size(), 4u);
}

TEST(Coalescer, a_row_that_does_not_begin_on_a_line_takes_two_shrunken_segments) {
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4, 64)), ElementsAre(Pair(64, 64), Pair(128, 64)));
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4, 96)), ElementsAre(Pair(96, 32), Pair(128, 128)));
}

TEST(Coalescer, a_segment_shrinks_to_the_half_or_the_quarter_that_is_touched) {
  const ActiveMask one = ActiveMask::single(0);
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4, 0), one), ElementsAre(Pair(0, 32)));
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4, 124), one), ElementsAre(Pair(96, 32)));
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4), ActiveMask(0x0000ffff)), ElementsAre(Pair(0, 64)));
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4), ActiveMask(0xffff0000)), ElementsAre(Pair(64, 64)));
}

TEST(Coalescer, no_segment_is_longer_than_a_line_of_the_cache) {
  EXPECT_THAT(segments(by_lines_of<64>, 4, in_a_row(4)), ElementsAre(Pair(0, 64), Pair(64, 64)));
  EXPECT_THAT(segments(by_lines_of<64>, 4, in_a_row(4, 32)), ElementsAre(Pair(32, 32), Pair(64, 64), Pair(128, 32)));
  EXPECT_EQ(segments(by_lines_of<32>, 8, in_a_row(8)).size(), 8u);
  EXPECT_THAT(segments(by_lines_of<64>, 1, in_a_row(1)), ElementsAre(Pair(0, 32)));
}

TEST(Coalescer, quarters_of_both_halves_keep_the_whole_segment) {
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4), ActiveMask(0x0000ff00 | 0x00ff0000)),
              ElementsAre(Pair(0, 128)));
}

TEST(Coalescer, two_byte_elements_go_by_64_bytes_and_single_bytes_by_32) {
  EXPECT_THAT(segments(by_lines_of<128>, 2, in_a_row(2)), ElementsAre(Pair(0, 64)));
  EXPECT_THAT(segments(by_lines_of<128>, 2, in_a_row(4)), ElementsAre(Pair(0, 64), Pair(64, 64)));
  EXPECT_THAT(segments(by_lines_of<128>, 2, in_a_row(2), ActiveMask(0xff)), ElementsAre(Pair(0, 32)));
  EXPECT_THAT(segments(by_lines_of<128>, 1, in_a_row(1)), ElementsAre(Pair(0, 32)));
  EXPECT_THAT(segments(by_lines_of<128>, 1, in_a_row(2)), ElementsAre(Pair(0, 32), Pair(32, 32)));
}

TEST(Coalescer, every_lane_in_a_line_of_its_own_is_a_segment) {
  EXPECT_EQ(segments(by_lines_of<128>, 4, in_a_row(128)).size(), 32u);
}

TEST(Coalescer, segments_come_in_the_order_of_their_lowest_lanes) {
  const auto falling = [](unsigned lane) { return std::uint64_t{128} * (3 - lane % 4); };
  EXPECT_THAT(segments(by_lines_of<128>, 4, falling),
              ElementsAre(Pair(384, 32), Pair(256, 32), Pair(128, 32), Pair(0, 32)));
}

TEST(Coalescer, lanes_that_do_not_access_count_for_nothing) {
  EXPECT_TRUE(segments(by_lines_of<128>, 4, in_a_row(4), ActiveMask()).empty());
}

TEST(CoalescerOfAtomics, lanes_at_one_word_go_one_by_one) {
  const auto all_at_one = [](unsigned) { return std::uint64_t{40}; };
  EXPECT_THAT(segments(coalesce_atomic, 4, all_at_one, ActiveMask(0b111)),
              ElementsAre(Pair(32, 32), Pair(32, 32), Pair(32, 32)));
}

TEST(CoalescerOfAtomics, lanes_at_different_words_of_a_line_go_together) {
  EXPECT_THAT(segments(coalesce_atomic, 4, in_a_row(4)), ElementsAre(Pair(0, 128)));
}

TEST(CoalescerOfAtomics, the_second_round_takes_all_second_comers) {
  const auto pairs = [](unsigned lane) { return std::uint64_t{4} * (lane / 2); };  // words 0 … 15, two lanes each
  EXPECT_THAT(segments(coalesce_atomic, 4, pairs), ElementsAre(Pair(0, 64), Pair(0, 64)));
}

TEST(CoalescerOfAtomics, elements_that_overlap_in_part_go_apart) {
  const auto overlapping = [](unsigned lane) { return std::uint64_t{4} * lane; };
  EXPECT_EQ(segments(coalesce_atomic, 8, overlapping, ActiveMask(0b11)).size(), 2u);
}

TEST(CoalescerOfLines, every_line_is_asked_for_once_and_whole) {
  EXPECT_THAT(segments(coalesce_lines, 64, in_a_row(4, 8)), ElementsAre(Pair(0, 64), Pair(64, 64), Pair(128, 64)));
}

TEST(Coalescer, sixty_four_words_in_a_row_are_two_lines) {
  EXPECT_THAT(segments(by_lines_of<128>, 4, in_a_row(4), ActiveMask(~0ull)), ElementsAre(Pair(0, 128), Pair(128, 128)));
  EXPECT_EQ(segments(by_lines_of<128>, 4, in_a_row(128), ActiveMask(~0ull)).size(), 64u);
}

/// Rounds for lanes at word(i) of shared memory.
unsigned rounds(const std::function<std::uint64_t(unsigned)>& word, ActiveMask lanes = ActiveMask(~0u),
                unsigned banks = 32) {
  Addresses address{};
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) address[lane] = 4 * word(lane);
  return bank_conflict_rounds(address, lanes, banks);
}

TEST(BankConflicts, a_row_of_words_and_a_broadcast_take_one_round) {
  EXPECT_EQ(rounds([](unsigned lane) { return lane; }), 1u);
  EXPECT_EQ(rounds([](unsigned) { return 7u; }), 1u);
}

TEST(BankConflicts, a_stride_of_n_words_takes_gcd_of_n_and_32_rounds) {
  EXPECT_EQ(rounds([](unsigned lane) { return 2 * lane; }), 2u);
  EXPECT_EQ(rounds([](unsigned lane) { return 3 * lane; }), 1u);
  EXPECT_EQ(rounds([](unsigned lane) { return 8 * lane; }), 8u);
  EXPECT_EQ(rounds([](unsigned lane) { return 32 * lane; }), 32u);
}

TEST(BankConflicts, sixty_four_words_in_a_row_take_two_rounds_of_32_banks) {
  EXPECT_EQ(rounds([](unsigned lane) { return lane; }, ActiveMask(~0ull)), 2u);
  EXPECT_EQ(rounds([](unsigned lane) { return lane; }, ActiveMask(~0ull), 64), 1u);
}

TEST(BankConflicts, lanes_at_one_word_of_a_bank_share_a_round) {
  EXPECT_EQ(rounds([](unsigned lane) { return 32 * (lane / 16); }), 2u);
}

TEST(BankConflicts, lanes_that_do_not_access_cause_none) {
  EXPECT_EQ(rounds([](unsigned lane) { return 32 * lane; }, ActiveMask(0b101)), 2u);
  EXPECT_EQ(rounds([](unsigned lane) { return lane; }, ActiveMask()), 1u);
}

TEST(BankConflicts, fewer_banks_mean_more_rounds) {
  EXPECT_EQ(rounds([](unsigned lane) { return lane; }, ActiveMask(~0u), 16), 2u);
}

}  // namespace coalescer_test
}  // namespace warpfork::memory
