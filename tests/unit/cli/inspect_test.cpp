// The command `inspect` on PTX text and on a program that holds some.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "cli/commands.h"
#include "config/text_file.h"
#include "cuda/image/fat_binary.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace {

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
  CommandLine line;
  Command root = line.root();
  Session session;
  add_inspect(root, session);
  words.insert(words.begin(), "inspect");
  testing::internal::CaptureStdout();
  try {
    line.run(words);
  } catch (const Error&) {
    testing::internal::GetCapturedStdout();
    throw;
  }
  return testing::internal::GetCapturedStdout();
}

TEST(Inspect, shows_the_kernels_of_a_program) {
  const std::string program = program_of({kFirst, kSecond});
  EXPECT_THAT(inspect({program}), AllOf(HasSubstr("inspected.0.ptx\n\nkernel _Z5firstv: 1 instructions"),
                                        HasSubstr("inspected.1.ptx\n\nkernel second: 1 instructions")));
  EXPECT_THAT(inspect({program, "--kernel", "first"}), AllOf(HasSubstr("_Z5firstv"), Not(HasSubstr("second"))));
}

TEST(Inspect, prints_a_programs_ptx_as_it_is) {
  EXPECT_EQ(inspect({program_of({kFirst}), "--ptx"}), kFirst);
  const std::string file = test_folder() + "/inspected.ptx";
  EXPECT_EQ(inspect({"--ptx=" + file, program_of({kFirst})}), "");
  EXPECT_EQ(config::read_text(file), kFirst);
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

}  // namespace
}  // namespace warpfork::cli
