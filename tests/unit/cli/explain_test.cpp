// The command `explain` on a bare kernel: which warp it takes, what it writes, and what it says is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "cli/commands.h"
#include "config/text_file.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace explain_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Odd threads go to ODD, all to JOIN.
constexpr const char* kKernels = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry parts() {
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  and.b32 %r1, %r1, 1;
  setp.eq.u32 %p, %r1, 1;
  @%p bra ODD;
  add.u32 %r2, %r1, 2;
  bra JOIN;
ODD:
  add.u32 %r2, %r1, 3;
JOIN:
  ret;
}
.visible .entry other() { ret; }
.visible .entry hangs() {
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p, %r1, 0;
A: @%p bra A;
  ret;
}
.visible .entry fails() {
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 16;
  st.global.u32 [%rd1], 0;
  ret;
}
)";

class ExplainTest : public ::testing::Test {
 protected:
  ExplainTest() {
    std::ofstream(file("explained.ptx")) << kKernels;
    for (const char* kernel : {"parts", "hangs"})
      std::ofstream(file(std::string(kernel) + ".toml"))
          << "kernel = \"" << kernel << "\"\ngrid = [3, 2]\nblock = 40\n";
    // One warp, so that no other block fails before it.
    std::ofstream(file("fails.toml")) << "kernel = \"fails\"\ngrid = [1, 1]\nblock = 32\n";
  }

  static std::string file(const std::string& name) { return test_folder() + "/" + name; }

  /// What it prints; an Error comes after that.
  std::string explain(std::vector<std::string> words, const std::string& launch = "parts") {
    words.insert(words.begin(), {file("explained.ptx"), "--launch", file(launch + ".toml")});
    CommandLine line;
    Command root = line.root();
    Session session;
    session.words = words;
    add_explain(root, session);
    words.insert(words.begin(), "explain");
    testing::internal::CaptureStdout();
    try {
      line.run(words);
    } catch (const Error&) {
      printed_ = testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }

  std::string printed_;  // before an Error
};

TEST_F(ExplainTest, tells_of_the_first_warp) {
  EXPECT_THAT(explain({}),
              AllOf(HasSubstr("kernel parts, launch 1, block 0,0,0, warp 0, under pdom on gtx480\n"),
                    HasSubstr("divergence: 10101010101010101010101010101010 to pc 6 (B2), "
                              "01010101010101010101010101010101 to pc 4 (B1); reconvergence point: pc 7 (B3)"),
                    HasSubstr("reconvergence: 11111111111111111111111111111111 go on at pc 7 (B3)"),
                    HasSubstr("\n8 warp instructions, 26.0 lanes on average, 1 divergence\n")));
}

TEST_F(ExplainTest, takes_the_options_of_run_and_its_own) {
  const std::string graph = file("explained.dot");
  EXPECT_THAT(explain({"--divergence", "multi-path", "--warp", "2,1,0.1", "--every-instruction", "--graph", graph}),
              AllOf(HasSubstr("block 2,1,0, warp 1, under multi-path on gtx480"), HasSubstr("RT "),
                    HasSubstr("10101010  add.u32 %r2, %r1, 3;"), HasSubstr("01010101  add.u32 %r2, %r1, 2;")));
  EXPECT_THAT(config::read_text(graph), HasSubstr("B0 -> B2 [label=\"10101010\"];"));
}

TEST_F(ExplainTest, explains_the_place_where_threads_move_between_warps) {
  EXPECT_THAT(explain({"--divergence", "tbc", "--warp", "0.1"}),
              HasSubstr("Threads move between warps: this is what runs in the place of warp 1."));
}

TEST_F(ExplainTest, says_what_the_launch_does_not_have) {
  const auto refusal_of = [&](const std::vector<std::string>& options) -> std::string {
    try {
      explain(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal_of({"--warp", "3.0"}), HasSubstr("there is no block 3,0,0; the grid"));
  EXPECT_THAT(refusal_of({"--warp", "0.2"}), HasSubstr("no warp 2; a block of kernel"));
  EXPECT_EQ(refusal_of({"--kernel", "other"}), "kernel 'other' was never launched\n  launched: parts");
  EXPECT_THAT(refusal_of({"--kernel", "part"}), HasSubstr("there is no kernel 'part'\n  nearest: parts, "));
  EXPECT_EQ(refusal_of({"--kernel", "parts", "--launch-number", "2"}),
            "--launch-number 2: kernel 'parts' was launched 1 time");
  EXPECT_EQ(refusal_of({"--launch-number", "2"}), "--launch-number 2: kernels were launched 1 time");
}

TEST_F(ExplainTest, tells_what_came_before_a_launch_was_cut_off) {
  testing::internal::CaptureStderr();
  EXPECT_THAT(explain({"--max-cycles", "2000", "--limit", "50"}, "hangs"),
              AllOf(HasSubstr("divergence: 00000000000000000000000000000001 to pc 2 (B1), "),
                    HasSubstr("--limit 0 prints all"), HasSubstr("; it had not ended")));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("still ran after 2000 cycles"));
}

TEST_F(ExplainTest, tells_what_came_before_a_launch_failed) {
  EXPECT_THAT([&] { explain({}, "fails"); }, ThrowsMessage<Error>(HasSubstr("global store of 4 bytes at 0x10")));
  EXPECT_THAT(printed_, AllOf(HasSubstr("mov.u64 %rd1, 16;"), HasSubstr("; it had not ended")));
}

TEST_F(ExplainTest, takes_a_warp_of_a_block_by_one_or_three_numbers) {
  EXPECT_THAT(explain({"--warp", "1.1"}), HasSubstr("block 1,0,0, warp 1,"));
  EXPECT_THAT(explain({"--warp", "1,1,0.0"}), HasSubstr("block 1,1,0, warp 0,"));
  for (const char* place : {"1", "1.", ".1", "1,2.0", "a.0", "0.-1"})
    EXPECT_THROW(explain({"--warp", place}), std::runtime_error) << place;
}

TEST_F(ExplainTest, ends_after_as_many_lines_as_are_asked_for) {
  const std::string whole = explain({"--limit", "0"}), cut = explain({"--limit", "1"});
  EXPECT_LT(cut.size(), whole.size());
  EXPECT_THAT(cut, HasSubstr("--limit 0 prints all"));
  EXPECT_THAT(whole, testing::Not(HasSubstr("--limit 0 prints all")));
}

TEST_F(ExplainTest, says_where_the_instructions_lie_if_none_is_in_the_cycles_asked_for) {
  EXPECT_THAT(explain({"--from-cycle", "100000"}),
              HasSubstr("nothing in these cycles: the warp's first instruction is in cycle "));
  EXPECT_THAT(explain({}), testing::Not(HasSubstr("nothing in these cycles")));
}

TEST_F(ExplainTest, takes_the_lanes_of_another_organisation) {
  EXPECT_THAT(explain({"--lanes", "tsimt"}), HasSubstr("under pdom"));
  EXPECT_THAT([&] { explain({"--lanes", "tsim"}); }, ThrowsMessage<Error>(HasSubstr("tsimt")));
}

TEST_F(ExplainTest, writes_no_graph_where_none_is_asked_for) {
  explain({});
  EXPECT_FALSE(std::filesystem::exists(file("none.dot")));
  explain({"--graph", file("none.dot")});
  EXPECT_THAT(config::read_text(file("none.dot")), HasSubstr("digraph"));
}

TEST_F(ExplainTest, is_the_same_to_the_byte_when_it_is_told_again) {
  EXPECT_EQ(explain({"--every-instruction"}), explain({"--every-instruction"}));
}

}  // namespace explain_test
}  // namespace warpfork::cli
