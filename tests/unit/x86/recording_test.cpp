#include "x86/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "unit/test_folder.h"
#include "unit/x86/recording_builder.h"
#include "x86/call_depth.h"

namespace warpfork::x86 {
namespace recording_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The bytes of a recording of two threads with three frames each.
std::string whole_file() {
  RecordingBuilder builder;
  const auto block = builder.block(0x401000, {{0x48, 0x8b, 0x03}});
  builder.thread();
  builder.thread();
  for (std::uint32_t number = 0; number < 6; ++number)
    builder.frame(number % 2, {block, access_token(0, false, 3, static_cast<std::int32_t>(number))});
  std::ostringstream text;
  text << std::ifstream(builder.write(), std::ios::binary).rdbuf();
  return text.str();
}

/// What is said of a file with these bytes that is read from end to end.
std::string message_of(const std::string& bytes) {
  const std::string path = test_folder() + "/changed.wft";
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    Recording(path).verify();
  } catch (const Error& error) {
    return error.what();
  }
  return "whole";
}

std::vector<FrameEntry> frames_of(const std::string& bytes) {
  const std::string path = test_folder() + "/whole.wft";
  std::ofstream(path, std::ios::binary) << bytes;
  std::vector<FrameEntry> frames;
  const RecordingFile file(path);
  for (const ThreadEntry& thread : file.directory().threads)
    frames.insert(frames.end(), thread.frames.begin(), thread.frames.end());
  return frames;
}

TEST(Recording, of_a_whole_file_is_read) { EXPECT_EQ(message_of(whole_file()), "whole"); }

TEST(Recording, cut_off_at_any_frame_is_refused) {
  const std::string whole = whole_file();
  for (const FrameEntry& frame : frames_of(whole))
    for (const std::uint64_t size : {frame.offset, frame.offset + 1})
      EXPECT_THAT(message_of(whole.substr(0, size)),
                  AllOf(HasSubstr(fmt::format("changed.wft: offset {}: the file is cut off here", size)),
                        HasSubstr(fmt::format("it should have {} bytes", whole.size()))));
}

TEST(Recording, cut_off_anywhere_is_refused) {
  const std::string whole = whole_file();
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(message_of(whole.substr(0, size)), "whole") << size;
}

TEST(Recording, with_a_damaged_frame_is_refused_with_its_place) {
  const std::string whole = whole_file();
  const std::vector<FrameEntry> frames = frames_of(whole);
  ASSERT_EQ(frames.size(), 6u);
  for (std::size_t number = 0; number < frames.size(); ++number) {
    std::string damaged = whole;
    damaged[frames[number].offset + 17] ^= 1;
    EXPECT_THAT(message_of(damaged), HasSubstr(fmt::format("offset {}: thread {}, frame {} of 3 is damaged",
                                                           frames[number].offset, number / 3, number % 3 + 1)));
  }
}

TEST(Recording, with_any_bit_changed_is_refused) {
  const std::string whole = whole_file();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
    EXPECT_NE(message_of(damaged), "whole") << at;
  }
}

TEST(Recording, of_something_else_is_refused) {
  EXPECT_THAT(message_of("hello"), HasSubstr("is no recording of warpfork"));
  EXPECT_THAT(message_of(std::string(1000, 'x')), HasSubstr("make one with: warpfork record"));
  std::string newer = whole_file();
  newer[8] = 3;
  EXPECT_THAT(message_of(newer),
              HasSubstr("is a recording of warpfork of version 3, this warpfork reads versions 1 to 2"));
  EXPECT_THAT(message_of(whole_file() + "x"), HasSubstr("the file is too long"));
}

// guests/control.c, recorded from its function fibonacci on, which _start calls.
TEST(Recording, of_version_1_is_read) {
  const Recording recording("tests/data/recordings/version_1.wft");
  EXPECT_NO_THROW(recording.verify());
  EXPECT_EQ(recording.facts().start, "fibonacci");
  DynamicInstruction first;
  ASSERT_TRUE(recording.open(0)->next(first));
  EXPECT_EQ(recording.symbols().text(first.instruction->pc), "fibonacci");
  EXPECT_EQ(first.depth, CallDepth::kFirst);  // not known
}

TEST(Recording, that_does_not_exist_is_an_error) {
  EXPECT_THROW(Recording{"/nowhere/recording.wft"}, Error);
  EXPECT_THROW(Recording{test_folder()}, Error);
}

}  // namespace recording_test
}  // namespace warpfork::x86
