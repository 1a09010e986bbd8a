#include "archive/file_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"

namespace warpfork::archive {
namespace file_header_test {

using ::testing::HasSubstr;

constexpr FileKind kKind{{'e', 'x', 'a', 'm', 'p', 'l', 'e', 's'}, 3, "sample", "make-sample FILE", "make it again"};

/// Of a file of 100 bytes.
const FileHeader kHeader = header_of(kKind, {64, 36, 50, 7}, 100);

FileHeader read_back(const FileHeader& header, std::uint64_t file_bytes = 100) {
  const auto read = [&](std::span<std::uint8_t> out) { std::memcpy(out.data(), &header, out.size()); };
  return read_header(kKind, file_bytes, "f.example", read);
}

std::string refusal_of(const FileHeader& header, std::uint64_t file_bytes = 100) {
  try {
    read_back(header, file_bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FileHeader, leads_to_the_directory) {
  const Section directory = read_back(kHeader).directory;
  EXPECT_EQ(directory.offset, 64u);
  EXPECT_EQ(directory.bytes, 36u);
  EXPECT_EQ(directory.raw_bytes, 50u);
  EXPECT_EQ(directory.checksum, 7u);
}

TEST(FileHeader, of_another_kind_names_the_command_that_makes_one) {
  FileHeader other = kHeader;
  other.magic[0] = 'E';
  EXPECT_EQ(refusal_of(other), "f.example: is no sample\n  make one with: make-sample FILE");
  EXPECT_EQ(refusal_of(kHeader, 63), "f.example: is no sample: it has 63 bytes, and the header alone has 64");
}

TEST(FileHeader, of_another_version_says_which_is_read) {
  FileHeader other = kHeader;
  other.version = 4;
  EXPECT_EQ(refusal_of(other), "f.example: is a sample of version 4, this warpfork reads version 3\n  make it again");
}

TEST(FileHeader, of_an_older_version_may_be_read) {
  FileKind kind = kKind;
  kind.oldest = 2;
  for (const std::uint32_t version : {1u, 2u, 3u, 4u}) {
    FileKind made = kKind;
    made.version = version;
    const FileHeader header = header_of(made, {64, 36, 50, 7}, 100);
    const auto read = [&](std::span<std::uint8_t> out) { std::memcpy(out.data(), &header, out.size()); };
    if (version == 2 || version == 3)
      EXPECT_EQ(read_header(kind, 100, "f.example", read).version, version);
    else
      EXPECT_THROW(read_header(kind, 100, "f.example", read), Error) << version;
  }
}

TEST(FileHeader, is_refused_when_damaged_or_of_a_file_of_another_length) {
  FileHeader other = kHeader;
  other.directory.offset ^= 1;
  EXPECT_THAT(refusal_of(other), HasSubstr("offset 0: its header is damaged\n  make it again, or copy"));
  EXPECT_THAT(refusal_of(kHeader, 99), HasSubstr("offset 99: the file is cut off here: it should have 100 bytes"));
  EXPECT_THAT(refusal_of(kHeader, 101), HasSubstr("offset 101: the file is too long: it should have 100 bytes"));
}

}  // namespace file_header_test
}  // namespace warpfork::archive
