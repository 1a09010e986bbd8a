#include "base/inplace_vector.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace warpfork {
namespace inplace_vector_test {

using Three = InplaceVector<char, 3>;

TEST(InplaceVector, holds_its_elements_in_order) {
  Three letters{'a', 'b'};
  letters.push_back('c');
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "abc");
  EXPECT_EQ(letters.front(), 'a');
  EXPECT_EQ(letters.back(), 'c');
  EXPECT_EQ(letters.at(2), 'c');
  EXPECT_THROW(Three{'a'}.at(1), Error);
  EXPECT_TRUE(letters.full());
}

TEST(InplaceVector, refuses_one_more_than_it_has_room_for) {
  Three letters{'a', 'b', 'c'};
  EXPECT_THROW(letters.push_back('d'), Error);
  EXPECT_EQ(letters.size(), 3u);
}

TEST(InplaceVector, is_equal_to_one_with_the_same_elements_whatever_was_there_before) {
  Three letters{'a', 'b', 'c'};
  letters.clear();
  EXPECT_TRUE(letters.empty());
  EXPECT_EQ(letters, Three{});
  letters.push_back('x');
  EXPECT_EQ(letters, Three{'x'});
  EXPECT_FALSE(letters == Three{'y'});
}

}  // namespace inplace_vector_test
}  // namespace warpfork
