#include "base/error.h"

#include <gtest/gtest.h>

#include <new>

namespace warpfork {
namespace error_test {

TEST(MessageOf, an_error_is_what_it_says) {
  EXPECT_STREQ(message_of(Error("a.ptx:1:1: error: no")), "a.ptx:1:1: error: no");
}

TEST(MessageOf, what_the_library_says_of_a_lack_of_memory_is_put_in_our_words) {
  for (const std::string message : {message_of(std::bad_alloc()), message_of(std::length_error("vector::reserve"))})
    EXPECT_EQ(message.substr(0, message.find('\n')), "error: not enough memory");
}

}  // namespace error_test
}  // namespace warpfork
