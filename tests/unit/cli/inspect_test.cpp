// The command `inspect` on PTX text and on a program that holds some.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/fat_binary.h"
#include "unit/cli/invocation.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace inspect_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

const std::string kFirst = ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry _Z5firstv() { ret; }\n";
const std::string kSecond = ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry second() { exit; }\n";

/// A program with these images.
std::string program_of(const std::vector<std::string>& images) {
  const std::string name = test_folder() + "/inspected";
  std::ofstream file(name, std::ios::binary);
  file << "\177ELF....";  // 8 bytes: what follows is aligned
  for (const std::string& image : images) {
    const std::vector<std::byte> bytes = cuda::wrap_ptx(image, 70);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  return name;
}

std::string inspect(std::vector<std::string> words) {
  words.insert(words.begin(), "inspect");
  return invoke(words).output;
}

TEST(Inspect, shows_the_kernels_of_a_program) {
  const std::string program = program_of({kFirst, kSecond});
  EXPECT_THAT(inspect({program}), AllOf(HasSubstr("inspected.0.ptx\n\nkernel _Z5firstv: 1 instruction,"),
                                        HasSubstr("inspected.1.ptx\n\nkernel second: 1 instruction,")));
  EXPECT_THAT(inspect({program, "--kernel", "first"}), AllOf(HasSubstr("_Z5firstv"), Not(HasSubstr("second"))));
}

TEST(Inspect, says_where_a_recording_is_shown) {
  const std::string file = test_folder() + "/it.wft";
  std::ofstream(file) << "warpfork and some bytes";
  EXPECT_THAT([&] { inspect({file}); },
              ThrowsMessage<Error>(AllOf(HasSubstr("it.wft: is a recording"), HasSubstr("warpfork cpu dump "))));
}

TEST(Inspect, prints_the_registers_of_a_machine) {
  const std::string kernel =
      kFirst.substr(0, kFirst.find("{ ret")) +
      "{ .reg .b32 %r<3>; mov.u32 %r1, 5; mov.u32 %r2, 6; st.global.v2.u32 [64], {%r1, %r2}; ret; }\n";
  const std::string program = program_of({kernel});
  EXPECT_THAT(inspect({program, "--registers"}),
              AllOf(HasSubstr("2 registers a thread (64 a warp), 0 predicates\n"), HasSubstr("R1        %r2 ")));
}

TEST(Inspect, draws_no_registers_and_asks_for_a_machine_for_them_alone) {
  const std::string program = program_of({kFirst});
  EXPECT_THAT([&] { inspect({program, "--registers", "--dot"}); }, ThrowsMessage<Error>(HasSubstr("--registers")));
  EXPECT_THAT([&] { inspect({program, "--scalar", "--dot"}); }, ThrowsMessage<Error>(HasSubstr("--scalar")));
  EXPECT_THAT([&] { inspect({program, "--machine", "gtx480"}); }, ThrowsMessage<Error>(HasSubstr("--registers")));
}

TEST(Inspect, prints_a_programs_ptx_as_it_is) {
  EXPECT_EQ(inspect({program_of({kFirst}), "--ptx"}), kFirst);
  const std::string file = test_folder() + "/inspected.ptx";
  EXPECT_EQ(inspect({"--ptx=" + file, program_of({kFirst})}), "");
  EXPECT_EQ(config::read_text(file), kFirst);
}

TEST(Inspect, prints_ptx_with_nothing_that_would_not_be_heeded) {
  const std::string program = program_of({kFirst});
  for (const char* option : {"--dot", "--scalar", "--registers"})
    EXPECT_THAT(
        [&] {
          inspect({program, "--ptx", option});
        },
        ThrowsMessage<Error>(HasSubstr(std::string("it does not go with ") + option)));
  EXPECT_THAT(
      [&] {
        inspect({"--ptx", "--kernel", "first", program});
      },
      ThrowsMessage<Error>(HasSubstr("it does not go with --kernel")));
  EXPECT_THAT(
      [&] {
        inspect({program, "--ptx", "--machine", "gtx480"});
      },
      ThrowsMessage<Error>(HasSubstr("--machine")));
}

TEST(Inspect, prints_one_of_several_texts_so_that_lines_are_right) {
  const std::string program = program_of({kFirst, kSecond});
  EXPECT_THAT(
      [&] {
        inspect({program, "--ptx"});
      },
      ThrowsMessage<Error>(HasSubstr("inspected.0.ptx, inspected.1.ptx\n  choose one: --image 0 to --image 1")));
  EXPECT_EQ(inspect({program, "--ptx", "--image", "1"}), kSecond);
  EXPECT_THAT([&] { inspect({program, "--image", "2"}); }, ThrowsMessage<Error>(HasSubstr("holds 2, counted from 0")));
}

TEST(Inspect, shows_what_is_one_for_a_warp) {
  EXPECT_THAT(
      inspect({program_of({kFirst}), "--scalar"}),
      AllOf(HasSubstr("kernel _Z5firstv\n\nrule "), HasSubstr("1 of 1    100.0 %"), HasSubstr("scalar     ret;")));
}

// A branch over one instruction: its block and the two that it leads to.
const std::string kBranch =
    ".version 6.0\n.target sm_70\n.address_size 64\n.func f() { ret; }\n.visible .entry k() {\n.reg .pred %p;\n"
    ".reg .b32 %r<3>;\nsetp.eq.u32 %p, %r1, 0;\n@%p bra L;\nadd.u32 %r2, %r1, 1;\nL: ret;\n}\n";

std::string branch_file() {
  const std::string file = test_folder() + "/branch.ptx";
  std::ofstream(file) << kBranch;
  return file;
}

TEST(Inspect, counts_instructions_and_registers_of_each_function) {
  EXPECT_THAT(inspect({branch_file()}), AllOf(HasSubstr("function f: 1 instruction,"),
                                              HasSubstr("kernel k: 4 instructions"), HasSubstr("(3 declared)")));
}

// Two of 64 bits are four of 32; a body that does not end in ret returns nevertheless.
TEST(Inspect, counts_registers_in_one_unit_and_names_a_return_that_is_not_written) {
  const std::string head = ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k() {";
  const std::string wide = file_with("wide.ptx", head +
                                                     ".reg .u64 %a<2>; mov.u64 %a0, 1; mov.u64 %a1, 2;\n"
                                                     "st.global.v2.u64 [64], {%a0, %a1}; }\n");
  EXPECT_THAT(inspect({wide}), HasSubstr("kernel k: 3 instructions and the return at its end, 4 live registers of 32 "
                                         "bits at most (4 declared)\n"));
  EXPECT_THAT(inspect({file_with("empty.ptx", head + "}\n")}), HasSubstr("k: 0 instructions and the return at its"));
}

TEST(Inspect, says_where_there_are_no_kernels_to_show) {
  const std::string file = file_with("functions.ptx", ".version 6.0\n.target sm_70\n.func f() { ret; }\n");
  EXPECT_EQ(inspect({file, "--scalar"}), file + ": no kernels, which alone --scalar shows\n");
  EXPECT_EQ(inspect({file, "--registers"}), file + ": no kernels, which alone --registers shows\n");
  EXPECT_THAT(
      [&] {
        inspect({branch_file(), "--scalar", "--kernel", "f"});
      },
      ThrowsMessage<Error>(HasSubstr("--scalar shows kernels alone, with all that they call; f is a function")));
}

TEST(Inspect, draws_a_graph_for_graphviz_in_place_of_the_text) {
  EXPECT_THAT(inspect({branch_file(), "--kernel", "k", "--dot"}),
              AllOf(HasSubstr("digraph"), HasSubstr("B0 -> "), Not(HasSubstr("instructions, "))));
}

TEST(Inspect, names_the_functions_next_to_one_that_there_is_not) {
  EXPECT_THAT(
      [&] {
        inspect({branch_file(), "--kernel", "kk"});
      },
      ThrowsMessage<Error>(HasSubstr("branch.ptx: there is no function 'kk'\n  nearest: k")));
}

TEST(Inspect, text_has_no_images) {
  EXPECT_THAT(
      [&] {
        inspect({branch_file(), "--image", "0"});
      },
      ThrowsMessage<Error>(HasSubstr("--image goes with a program")));
}

TEST(Inspect, a_fault_of_the_text_is_told_with_its_line) {
  const std::string file = test_folder() + "/faulty.ptx";
  std::ofstream(file) << ".version 6.0\n.target sm_70\n.entry k { bra L; }\n";
  EXPECT_THAT([&] { inspect({file}); }, ThrowsMessage<Error>(HasSubstr("faulty.ptx:3:16: error: label 'L'")));
}

TEST(Inspect, ptx_text_is_printed_as_it_is_even_where_it_is_wrong) {
  const std::string file = test_folder() + "/wrong.ptx";
  std::ofstream(file) << "nothing of PTX\n";
  EXPECT_EQ(inspect({file, "--ptx"}), "nothing of PTX\n");
}

// Threads below 8 do one thing more, which only warp 0 has: of its six instructions `divergent` takes the last three
// for scalar, of the four of warp 1 the last; `convergent-only` takes the last one of either.
class ExecutedScalars : public ::testing::Test {
 protected:
  ExecutedScalars() {
    std::ofstream(kernel_) << ".version 6.0\n.target sm_70\n.visible .entry k() {\n.reg .pred %p;\n.reg .b32 %r<3>;\n"
                              "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p, %r1, 8;\n@!%p bra L;\nmov.u32 %r2, %ctaid.x;\n"
                              "add.u32 %r2, %r2, 1;\nL: ret;\n}\n.visible .entry other() { ret; }\n";
    std::ofstream(launch_) << "kernel = \"k\"\ngrid = [1, 1, 1]\nblock = [64, 1, 1]\n";
  }

  const std::string kernel_ = test_folder() + "/executed.ptx", launch_ = test_folder() + "/executed.launch.toml";
};

TEST_F(ExecutedScalars, are_counted_under_either_rule) {
  const std::string text = inspect({"--scalar", "--executed", kernel_, "--launch", launch_});
  EXPECT_THAT(text, AllOf(HasSubstr("divergent                   4 of 10            40.0 %\n"),
                          HasSubstr("convergent-only             2 of 10            20.0 %\n"),
                          HasSubstr("kernel other\n\nnot launched\n")));
}

TEST_F(ExecutedScalars, of_a_saved_launch_are_those_of_the_launch) {
  const std::string saved = test_folder() + "/executed.wfl";
  invoke("run --functional-only --save-launch 1 -o " + saved + " " + kernel_ + " --launch " + launch_);
  EXPECT_THAT(inspect({saved, "--scalar", "--executed"}), HasSubstr("4 of 10"));
  EXPECT_THAT(inspect({saved, "--kernel", "k"}), HasSubstr("kernel k: 6 instructions"));
}

TEST_F(ExecutedScalars, are_refused_where_nobody_would_see_them_or_nothing_can_run) {
  EXPECT_THAT([&] { inspect({"--executed", kernel_}); }, ThrowsMessage<Error>(HasSubstr("--scalar")));
  EXPECT_THAT(
      [&] {
        inspect({"--scalar", kernel_, "--launch", launch_});
      },
      ThrowsMessage<Error>(HasSubstr("--executed")));
  EXPECT_THAT([&] { inspect({"--scalar", "--executed", kernel_}); }, ThrowsMessage<Error>(HasSubstr("--launch")));
  EXPECT_THAT([&] { inspect({kernel_, "2000"}); }, ThrowsMessage<UsageError>(HasSubstr("2000: only a program")));
}

}  // namespace inspect_test
}  // namespace warpfork::cli
