#include "simulation/output_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::simulation {
namespace output_difference_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

process::Outcome outcome(int status, std::string output, std::vector<std::byte> bytes) {
  process::Outcome made;
  made.status = status;
  made.output = std::move(output);
  made.buffers = {{"out", std::move(bytes)}};
  return made;
}

auto comparing(process::Outcome a, process::Outcome b) {
  return [a, b] { require_same_output("pdom", a, "multi-path", b); };
}

TEST(OutputDifference, equal_outcomes_pass) {
  EXPECT_NO_THROW(comparing(outcome(0, "a\n", {std::byte{1}}), outcome(0, "a\n", {std::byte{1}}))());
}

TEST(OutputDifference, names_mechanisms_and_the_line_that_differs) {
  EXPECT_THAT(
      comparing(outcome(0, "a\nsum 12\n", {}), outcome(0, "a\nsum 13\n", {})),
      ThrowsMessage<Error>(HasSubstr("differs in line 2\n  under 'pdom': sum 12\n  under 'multi-path': sum 13")));
  EXPECT_THAT(comparing(outcome(0, "a\n", {}), outcome(0, "a\nb\n", {})), ThrowsMessage<Error>(HasSubstr("line 2")));
}

TEST(OutputDifference, lines_that_kernels_printed_may_change_places_but_not_their_text) {
  process::Outcome first = outcome(0, "a\nb\n", {}), second = outcome(0, "b\na\n", {});
  EXPECT_THROW(comparing(first, second)(), Error);
  first.kernels_printed = second.kernels_printed = true;
  EXPECT_NO_THROW(comparing(first, second)());
  second.output = "b\nc\n";
  EXPECT_THAT(comparing(first, second), ThrowsMessage<Error>(HasSubstr("let each call of printf print whole lines")));
}

TEST(OutputDifference, names_buffer_and_byte) {
  EXPECT_THAT(
      comparing(outcome(0, "", {std::byte{1}, std::byte{7}}), outcome(0, "", {std::byte{1}, std::byte{5}})),
      ThrowsMessage<Error>(HasSubstr("buffer 'out' differs at byte 1: 0x07 under 'pdom', 0x05 under 'multi-path'")));
}

TEST(OutputDifference, the_exit_status_counts_too) {
  EXPECT_THAT(comparing(outcome(0, "", {}), outcome(3, "", {})),
              ThrowsMessage<Error>(HasSubstr("3 under 'multi-path'")));
}

}  // namespace output_difference_test
}  // namespace warpfork::simulation
