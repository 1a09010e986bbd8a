#include "base/wrapped.h"

#include <gtest/gtest.h>

namespace warpfork {
namespace wrapped_test {

TEST(Wrapped, breaks_between_words_before_column_81) {
  const std::string word(39, 'x');
  EXPECT_EQ(wrapped(word + " " + word, "> ", "  "), "> " + word + "\n  " + word + "\n");  // 81 together
  EXPECT_EQ(wrapped(word + " " + word, ">", "  "), ">" + word + " " + word + "\n");       // 80
}

TEST(Wrapped, breaks_within_no_number) {
  const std::string word(75, 'x');
  EXPECT_EQ(wrapped(word + " 1 234 567 cycles", "", ""), word + "\n1 234 567 cycles\n");
  EXPECT_EQ(wrapped(word + " 5.0 % of it", "", ""), word + "\n5.0 % of it\n");  // "5.0" alone would fit
}

}  // namespace wrapped_test
}  // namespace warpfork
