// Depths by hand: the address of a return address is the stack pointer's value behind the call.
#include "x86/call_depth.h"

#include <gtest/gtest.h>

namespace warpfork::x86 {
namespace call_depth_test {

constexpr std::uint32_t kFirst = CallDepth::kFirst;
constexpr std::uint32_t kNone = 0;  // calls

/// A thread that has made three calls, one in the other.
CallDepth three_calls() {
  CallDepth calls(kNone);
  for (const std::uint64_t address : {0x7000, 0x6f00, 0x6e00}) calls.call(address);
  return calls;
}

TEST(CallDepth, is_calls_minus_returns_where_every_call_returns) {
  CallDepth calls = three_calls();
  EXPECT_EQ(calls.now(), kFirst + 3);
  calls.return_from(0x6e00);
  calls.call(0x6d80);  // a deeper stack, but no deeper call
  EXPECT_EQ(calls.now(), kFirst + 3);
  for (const std::uint64_t address : {0x6d80, 0x6f00, 0x7000}) calls.return_from(address);
  EXPECT_EQ(calls.now(), kFirst);
}

TEST(CallDepth, of_accesses_whose_addresses_are_not_known_is_counted) {
  CallDepth calls(kNone);
  calls.call(0);
  calls.call(0);
  calls.return_from(0);
  EXPECT_EQ(calls.now(), kFirst + 1);
}

// The innermost frame goes on where the stack pointer has its address: there is nothing of its own on the stack.
TEST(CallDepth, ends_calls_below_the_stack_pointer) {
  CallDepth calls = three_calls();
  calls.stack_pointer(0x6e00);
  EXPECT_EQ(calls.now(), kFirst + 3);
  calls.stack_pointer(0x6e08);
  EXPECT_EQ(calls.now(), kFirst + 2);
  calls.stack_pointer(0x6fc0);
  EXPECT_EQ(calls.now(), kFirst + 1);
}

TEST(CallDepth, ends_calls_whose_place_another_takes) {  // as behind a longjmp
  CallDepth calls = three_calls();
  calls.call(0x6f00);
  EXPECT_EQ(calls.now(), kFirst + 2);
  calls.return_from(0x6f00);
  EXPECT_EQ(calls.now(), kFirst + 1);
}

TEST(CallDepth, ends_calls_within_the_one_that_returns) {
  CallDepth calls = three_calls();
  calls.return_from(0x7000);
  EXPECT_EQ(calls.now(), kFirst);
}

// An unwinder returns to a handler, with the stack pointer where that function has it.
TEST(CallDepth, ends_calls_below_a_return_from_where_no_call_led) {
  CallDepth calls = three_calls();
  calls.return_from(0x6f78);
  EXPECT_EQ(calls.now(), kFirst + 1);
}

TEST(CallDepth, stays_where_a_signals_handler_ends) {
  CallDepth calls = three_calls();
  calls.return_from(0x6900);
  EXPECT_EQ(calls.now(), kFirst + 3);
}

// The function whose return address lies above its saved frame pointer goes on. A pointer to something else says
// nothing.
TEST(CallDepth, ends_calls_within_the_function_of_a_frame_pointer) {
  CallDepth calls = three_calls();
  calls.frame_pointer(0x6f10);
  EXPECT_EQ(calls.now(), kFirst + 3);
  calls.frame_pointer(0x6ef8);
  EXPECT_EQ(calls.now(), kFirst + 2);
}

/// A thread on its own stack resumes another by a call at 7000, whose function is in two calls, and is resumed.
void resume_and_suspend(CallDepth& calls, std::uint64_t other) {
  calls.call(0x7000);
  calls.return_from(other);                                                        // to the function's beginning
  for (const std::uint64_t below : {0x20, 0x40, 0x60}) calls.call(other - below);  // the last suspends
  calls.return_from(0x7000);
}

TEST(CallDepth, of_a_stack_is_there_again_when_its_thread_returns_to_it) {
  for (const std::uint64_t other : {0x100000000ul, 0x1000ul}) {  // above and below
    CallDepth calls(kNone);
    resume_and_suspend(calls, other);
    EXPECT_EQ(calls.now(), kFirst) << other;
    calls.call(0x7000);
    calls.return_from(other - 0x60);
    EXPECT_EQ(calls.now(), kFirst + 3) << other;  // the resuming call, and two of its own
    for (const std::uint64_t below : {0x40, 0x20}) calls.return_from(other - below);
    EXPECT_EQ(calls.now(), kFirst + 1) << other;
    calls.return_from(0x7000);
    EXPECT_EQ(calls.now(), kFirst) << other;
  }
}

TEST(CallDepth, of_a_thread_that_was_in_calls_falls_when_it_returns_from_them) {
  CallDepth calls(std::nullopt);
  calls.return_from(0x7100);
  EXPECT_EQ(calls.now(), kFirst - 1);
  calls.call(0x7100);
  calls.call(0x7000);
  calls.return_from(0x7180);  // the calls have ended otherwise
  EXPECT_EQ(calls.now(), kFirst - 2);
}

TEST(CallDepth, begins_with_the_calls_that_are_known) {
  CallDepth calls(3);
  EXPECT_EQ(calls.now(), kFirst + 3);
  calls.return_from(0x7100);
  EXPECT_EQ(calls.now(), kFirst + 2);
}

TEST(CallDepth, of_a_thread_that_was_in_none_does_not_fall) {
  CallDepth calls(kNone);
  calls.return_from(0x7100);
  EXPECT_EQ(calls.now(), kFirst);
}

TEST(CallDepth, is_the_first_again_once_it_forgets) {
  CallDepth calls = three_calls();
  calls.forget();
  EXPECT_EQ(calls.now(), kFirst);
  calls.return_from(0x7000);
  EXPECT_EQ(calls.now(), kFirst - 1);
}

}  // namespace call_depth_test
}  // namespace warpfork::x86
