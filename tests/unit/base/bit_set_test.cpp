#include "base/bit_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include "base/active_mask.h"

namespace warpfork {
namespace bit_set_test {

static_assert(sizeof(BitSet<struct Narrow, 32>) == 4 && sizeof(BitSet<struct Wide, 64>) == 8);
static_assert(!std::is_convertible_v<ActiveMask, BitSet<struct Other, ActiveMask::kCapacity>>);

/// A set beside the same as the standard library has it.
template <typename Set>
struct Both {
  Set set;
  std::set<unsigned> model;

  explicit Both(std::mt19937& random) {
    for (unsigned i = random() % (2 * Set::kCapacity); i > 0; --i) {
      const unsigned number = static_cast<unsigned>(random() % Set::kCapacity);
      set |= Set::single(number);
      model.insert(number);
    }
  }
};

template <typename Set>
std::set<unsigned> numbers_of(Set set) {
  std::vector<unsigned> numbers;
  set.for_each([&](unsigned number) { numbers.push_back(number); });
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  return {numbers.begin(), numbers.end()};
}

template <typename Set>
class BitSetOf : public ::testing::Test {};
using Widths = ::testing::Types<BitSet<struct A, 32>, BitSet<struct A, 64>, BitSet<struct A, 128>>;
TYPED_TEST_SUITE(BitSetOf, Widths);

TYPED_TEST(BitSetOf, first_counts_from_zero) {
  for (const unsigned count : {0u, 1u, 31u, 32u, TypeParam::kCapacity - 1, TypeParam::kCapacity}) {
    const TypeParam set = TypeParam::first(count);
    EXPECT_EQ(set.count(), count);
    EXPECT_EQ(set.lowest_free(), count);
    EXPECT_EQ(set.full(), count == TypeParam::kCapacity);
    if (count > 0) {
      EXPECT_EQ(set.highest(), count - 1);
    }
  }
}

TYPED_TEST(BitSetOf, is_what_a_set_of_numbers_is) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 200; ++i) {
    const Both<TypeParam> of(random);
    EXPECT_EQ(numbers_of(of.set), of.model);
    EXPECT_EQ(of.set.count(), of.model.size());
    EXPECT_EQ(of.set.none(), of.model.empty());
    EXPECT_NE(of.set.any(), of.model.empty());
    for (unsigned n = 0; n < TypeParam::kCapacity; ++n) EXPECT_EQ(of.set.contains(n), of.model.contains(n));
    if (of.model.empty()) continue;
    EXPECT_EQ(of.set.lowest(), *of.model.begin());
    EXPECT_EQ(of.set.highest(), *of.model.rbegin());
  }
}

TYPED_TEST(BitSetOf, unites_cuts_and_subtracts_number_by_number) {
  std::mt19937 random(2);
  for (unsigned i = 0; i < 200; ++i) {
    const Both<TypeParam> a(random), b(random);
    std::set<unsigned> either, both, only;
    for (unsigned n = 0; n < TypeParam::kCapacity; ++n) {
      if (a.model.contains(n) || b.model.contains(n)) either.insert(n);
      if (a.model.contains(n) && b.model.contains(n)) both.insert(n);
      if (a.model.contains(n) && !b.model.contains(n)) only.insert(n);
    }
    EXPECT_EQ(numbers_of(a.set | b.set), either);
    EXPECT_EQ(numbers_of(a.set & b.set), both);
    EXPECT_EQ(numbers_of(a.set - b.set), only);
    EXPECT_EQ(a.set.intersects(b.set), !both.empty());
    EXPECT_EQ(b.set.contains(a.set), only.empty());
    EXPECT_EQ(a.set == b.set, a.model == b.model);
  }
}

TYPED_TEST(BitSetOf, takes_numbers_in_and_out_one_by_one) {
  TypeParam set = TypeParam::single(3);
  set.insert(TypeParam::kCapacity - 1);
  set.insert(3);
  EXPECT_EQ(numbers_of(set), (std::set{3u, TypeParam::kCapacity - 1}));
  set.erase(3);
  set.erase(5);
  EXPECT_EQ(numbers_of(set), std::set{TypeParam::kCapacity - 1});
}

TYPED_TEST(BitSetOf, goes_round_from_any_number) {
  const TypeParam set = TypeParam::single(3) | TypeParam::single(TypeParam::kCapacity - 2);
  EXPECT_EQ(set.next_after(TypeParam::kCapacity - 1), 3u);
  EXPECT_EQ(set.next_after(2), 3u);
  EXPECT_EQ(set.next_after(3), TypeParam::kCapacity - 2);
  EXPECT_EQ(set.next_after(TypeParam::kCapacity / 2 - 1), TypeParam::kCapacity - 2);
  EXPECT_EQ(set.next_after(TypeParam::kCapacity / 2), TypeParam::kCapacity - 2);
  EXPECT_EQ(set.next_after(TypeParam::kCapacity - 2), 3u);
}

TYPED_TEST(BitSetOf, asks_up_to_the_first_number_that_passes) {
  const TypeParam set = TypeParam::single(1) | TypeParam::single(9) | TypeParam::single(TypeParam::kCapacity - 1);
  std::vector<unsigned> asked;
  const auto passes = [&](unsigned from) {
    return [&asked, from](unsigned number) { return asked.push_back(number), number >= from; };
  };
  EXPECT_TRUE(set.any_of(passes(9)));
  EXPECT_EQ(asked, (std::vector{1u, 9u}));
  EXPECT_FALSE(set.any_of(passes(TypeParam::kCapacity)));
  EXPECT_EQ(asked.size(), 5u);
}

TYPED_TEST(BitSetOf, prints_zero_rightmost) {
  EXPECT_EQ((TypeParam::single(0) | TypeParam::single(2)).to_string(4), "0101");
  const std::string text = TypeParam::single(TypeParam::kCapacity - 1).to_string();
  EXPECT_EQ(text.size(), TypeParam::kCapacity);
  EXPECT_EQ(text.front(), '1');
}

}  // namespace bit_set_test
}  // namespace warpfork
