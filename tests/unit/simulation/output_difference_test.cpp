#include "simulation/output_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::simulation {
namespace output_difference_test {

using ::testing::HasSubstr;

process::Outcome outcome(int status, std::string output, std::vector<std::byte> bytes) {
  process::Outcome made;
  made.status = status;
  made.output = std::move(output);
  made.buffers = {{"out", std::move(bytes)}};
  return made;
}

std::string difference(const process::Outcome& a, const process::Outcome& b) {
  const auto found = output_difference("pdom", a, "multi-path", b);
  return found ? found->text : "";
}

bool is_of_numbers(const std::string& a, const std::string& b) {
  return output_difference("pdom", outcome(0, a, {}), "multi-path", outcome(0, b, {})).value().is_of_numbers;
}

TEST(OutputDifference, there_is_none_of_equal_outcomes) {
  EXPECT_EQ(difference(outcome(0, "a\n", {std::byte{1}}), outcome(0, "a\n", {std::byte{1}})), "");
}

TEST(OutputDifference, names_mechanisms_and_the_line_that_differs) {
  EXPECT_THAT(difference(outcome(0, "a\nsum 12\n", {}), outcome(0, "a\nsum 13\n", {})),
              HasSubstr("differs in line 2\n  under 'pdom': sum 12\n  under 'multi-path': sum 13"));
  EXPECT_THAT(difference(outcome(0, "a\n", {}), outcome(0, "a\nb\n", {})), HasSubstr("line 2"));
}

TEST(OutputDifference, of_lines_that_kernels_printed_is_in_their_text_alone) {
  process::Outcome first = outcome(0, "a\nb\n", {}), second = outcome(0, "b\na\n", {});
  EXPECT_NE(difference(first, second), "");
  first.kernels_printed = second.kernels_printed = true;
  EXPECT_EQ(difference(first, second), "");
  second.output = "b\nc\n";
  EXPECT_THAT(difference(first, second), HasSubstr("let each call of printf print whole lines"));
}

TEST(OutputDifference, may_be_of_numbers_however_they_are_written_and_aligned) {
  EXPECT_TRUE(is_of_numbers("GPU 0.082 ms\n", "GPU 0.1 ms\n"));
  EXPECT_TRUE(is_of_numbers("  9.5 ms, 1e-3 of it\n", " 12 ms, -1.25e+10 of it\n"));
  EXPECT_TRUE(is_of_numbers("at 0x7ffd10\n", "at 0xa\n"));
}

TEST(OutputDifference, is_of_more_where_words_lines_or_names_with_digits_differ) {
  EXPECT_FALSE(is_of_numbers("PASS 1\n", "FAIL 1\n"));
  EXPECT_FALSE(is_of_numbers("1\n", "1\n2\n"));
  EXPECT_FALSE(is_of_numbers("kernel1\n", "kernel2\n"));
  EXPECT_FALSE(is_of_numbers("1 2\n", "1\n"));
}

TEST(OutputDifference, names_buffer_and_byte_before_numbers) {
  EXPECT_THAT(difference(outcome(0, "1", {std::byte{1}, std::byte{7}}), outcome(0, "2", {std::byte{1}, std::byte{5}})),
              HasSubstr("buffer 'out' differs at byte 1: 0x07 under 'pdom', 0x05 under 'multi-path'"));
}

TEST(OutputDifference, is_one_of_the_exit_status_too) {
  EXPECT_THAT(difference(outcome(0, "", {}), outcome(3, "", {})), HasSubstr("3 under 'multi-path'"));
}

}  // namespace output_difference_test
}  // namespace warpfork::simulation
