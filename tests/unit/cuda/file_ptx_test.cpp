#include "cuda/image/file_ptx.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <span>

#include "base/error.h"
#include "cuda/image/fat_binary.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace file_ptx_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A file of 24 other bytes, the images, and other bytes again.
std::string file_of(const std::vector<std::vector<std::byte>>& images) {
  const std::string name = test_folder() + "/program";
  std::ofstream file(name, std::ios::binary);
  file << "\177ELF and something else.";
  for (const std::vector<std::byte>& image : images)
    file.write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
  file << "the end";
  return name;
}

TEST(FilePtx, is_that_of_every_image_named_as_when_the_program_runs) {
  const std::vector<FilePtx> found = ptx_of_file(file_of({wrap_ptx("// first", 70), wrap_ptx("// second\n", 70)}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "program.0.ptx");
  EXPECT_EQ(found[0].text, "// first");
  EXPECT_EQ(found[1].name, "program.1.ptx");
  EXPECT_EQ(found[1].text, "// second\n");
}

TEST(FilePtx, skips_an_image_without_any_as_nvccs_device_linker_leaves) {
  std::vector<std::byte> machine_code = wrap_ptx("ELF", 75);
  machine_code[FatBinary::kHeaderBytes] = std::byte{2};  // the entry's kind
  const std::vector<FilePtx> found = ptx_of_file(file_of({machine_code, wrap_ptx("// PTX", 70)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "program.0.ptx");
  EXPECT_THAT([&] { ptx_of_file(file_of({machine_code})); },
              ThrowsMessage<Error>(HasSubstr("program: the program holds machine code for sm_75 but no PTX")));
}

/// A header of sixty bytes, and the contents: at an offset that is no multiple of eight where the one before has an odd
/// number of bytes.
std::string member(const std::string& contents) {
  std::string text = fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "part.o/", 0, 0, 0, 644, contents.size());
  return text + contents + (contents.size() % 2 != 0 ? "\n" : "");
}

std::string object_of(const std::string& ptx) {
  const std::vector<std::byte> image = wrap_ptx(ptx, 70);
  return "\177ELF...." + std::string(reinterpret_cast<const char*>(image.data()), image.size());
}

std::vector<FilePtx> in(const std::string& contents) {
  return ptx_of_contents(std::as_bytes(std::span(contents)), "parts.a");
}

TEST(FilePtx, is_that_of_every_object_in_an_archive) {
  const std::string archive =
      "!<arch>\n" + member("odd") + member(object_of("// first")) + member(object_of("// last"));
  const std::vector<FilePtx> found = in(archive);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "parts.a.0.ptx");
  EXPECT_EQ(found[0].text, "// first");
  EXPECT_EQ(found[1].text, "// last");
}

TEST(FilePtx, may_be_missing_in_an_archive_which_must_be_whole) {
  EXPECT_TRUE(in("!<arch>\n").empty());
  EXPECT_TRUE(in("!<arch>\n" + member("no code")).empty());
  EXPECT_THAT([] { in(("!<arch>\n" + member("no code")).substr(0, 70)); }, ThrowsMessage<Error>(HasSubstr("cut off")));
  EXPECT_THAT([] { in("!<arch>\n" + std::string(60, ' ')); }, ThrowsMessage<Error>(HasSubstr("damaged")));
}

TEST(FilePtx, is_in_no_other_file) {
  EXPECT_THAT([] { ptx_of_file(file_of({})); }, ThrowsMessage<Error>(HasSubstr("it holds no CUDA device code")));
  std::vector<std::byte> cut_off = wrap_ptx("// a text that does not end", 70);
  cut_off.resize(100);
  EXPECT_THAT([&] { ptx_of_file(file_of({cut_off})); }, ThrowsMessage<Error>(HasSubstr("cut off")));
}

}  // namespace file_ptx_test
}  // namespace warpfork::cuda
