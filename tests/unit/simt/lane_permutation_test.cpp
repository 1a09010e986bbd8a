// Which lanes the threads of a warp have, by hand from the permutations' definitions (docs/mechanisms/tbc.md).
#include "simt/lane_permutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "base/error.h"
#include "simt/row_lanes.h"

namespace warpfork::simt {
namespace lane_permutation_test {

struct Keys {
  const char* name;
  std::vector<unsigned> of_eight, of_four;  // of the warps of a block, of so many threads each
};

void PrintTo(const Keys& keys, std::ostream* out) { *out << keys.name; }

class KeysOf : public testing::TestWithParam<Keys> {
 protected:
  static std::vector<unsigned> keys(unsigned warps, unsigned warp_size) {
    std::vector<unsigned> keys;
    for (WarpId warp = 0; warp < warps; ++warp)
      keys.push_back(lane_key(find_lane_permutation(GetParam().name), warp, warps, warp_size));
    return keys;
  }
};

TEST_P(KeysOf, are_by_hand) {
  EXPECT_EQ(keys(5, 8), GetParam().of_eight);
  EXPECT_EQ(keys(6, 4), GetParam().of_four);
}

TEST_P(KeysOf, name_a_lane_of_the_warp) {
  for (const unsigned warp_size : {1u, 2u, 16u, 32u, 64u})
    EXPECT_THAT(keys(64, warp_size), testing::Each(testing::Lt(warp_size)));
}

const Keys kKeys[] = {
    {"identity", {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}},     {"mirror-odd", {0, 7, 0, 7, 0}, {0, 3, 0, 3, 0, 3}},
    {"mirror-half", {0, 0, 0, 7, 7}, {0, 0, 0, 3, 3, 3}},  {"xor", {0, 1, 2, 3, 4}, {0, 1, 2, 3, 0, 1}},
    {"xor-reversed", {0, 4, 2, 6, 1}, {0, 2, 1, 3, 0, 2}}, {"balanced", {0, 7, 1, 6, 2}, {0, 3, 1, 2, 2, 1}},
};
INSTANTIATE_TEST_SUITE_P(All, KeysOf, testing::ValuesIn(kKeys), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(LanePermutation, the_test_knows_them_all) {
  std::vector<std::string_view> known, tested;
  for (const NamedLanePermutation& each : lane_permutations()) known.push_back(each.name);
  for (const Keys& each : kKeys) tested.emplace_back(each.name);
  EXPECT_EQ(tested, known);
}

TEST(LanePermutation, one_that_there_is_not_is_refused_with_those_that_there_are) {
  EXPECT_THAT([] { find_lane_permutation("mirror"); },
              testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("no lane permutation 'mirror'"),
                                                           testing::HasSubstr("mirror-odd, mirror-half"))));
}

template <typename Lanes>
void moves_each_lane(typename Lanes::Word bits, unsigned key) {
  const Lanes lanes(bits), moved = permuted(lanes, key);
  for (unsigned lane = 0; lane < Lanes::kCapacity; ++lane)
    RC_ASSERT(moved.contains(lane ^ key) == lanes.contains(lane));
  RC_ASSERT(permuted(moved, key) == lanes);
}

TEST(LanePermutation, sets_of_lanes_are_permuted_lane_by_lane) {
  EXPECT_TRUE(rc::check([](std::uint32_t row, std::uint64_t warp) {
    moves_each_lane<RowLanes>(row, *rc::gen::inRange(0u, 32u));
    moves_each_lane<ActiveMask>(warp, *rc::gen::inRange(0u, 64u));
  }));
}

}  // namespace lane_permutation_test
}  // namespace warpfork::simt
