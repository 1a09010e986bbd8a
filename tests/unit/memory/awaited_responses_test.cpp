#include "memory/awaited_responses.h"

#include <gtest/gtest.h>

namespace warpfork::memory {
namespace awaited_responses_test {

TEST(AwaitedResponses, a_core_awaits_one_until_all_are_taken) {
  AwaitedResponses awaited(64);
  awaited.sent(3);
  awaited.sent(63);
  awaited.sent(3);
  EXPECT_EQ(awaited.cores(), std::uint64_t{1} << 63 | 1u << 3);
  awaited.taken(3);
  awaited.taken(63);
  EXPECT_EQ(awaited.cores(), 1u << 3);
  awaited.taken(3);
  EXPECT_EQ(awaited.cores(), 0u);
}

}  // namespace awaited_responses_test
}  // namespace warpfork::memory
