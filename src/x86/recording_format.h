// A recording's file, FILE.wft: docs/recording.md describes it field by field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/file_header.h"

namespace warpfork::x86 {

inline constexpr archive::FileKind kRecordingKind{
    .magic = {'w', 'a', 'r', 'p', 'f', 'o', 'r', 'k'},
    .version = 2,
    .name = "recording of warpfork",
    .maker = "warpfork record -o FILE.wft -- PROGRAM",
    .again = "record the program again",
    .oldest = 1,
};
/// Before it, it was not known in how many calls a thread was where its recording began.
inline constexpr std::uint32_t kVersionWithCalls = 2;

/// Stands before each frame's compressed tokens.
struct FrameHeader {
  std::uint32_t thread = 0, compressed_bytes = 0, tokens = 0, instructions = 0;
};
static_assert(sizeof(FrameHeader) == 16);

/// What the directory says of a frame. `checksum` is of its header and its compressed tokens.
struct FrameEntry {
  std::uint64_t offset = 0, checksum = 0;
  FrameHeader header;
};

struct ThreadEntry {
  std::uint32_t creator = 0;
  std::optional<std::uint32_t> calls;  ///< that it was in where its recording began
  std::vector<FrameEntry> frames;
};

/// How a recording came about, for people.
struct RecordingFacts {
  std::string recorder;  ///< the version of warpfork that made it
  std::string program;
  std::vector<std::string> arguments;
  std::string start, region;  ///< symbols; empty where not asked for
  std::uint64_t limit = 0;    ///< instructions of each thread; 0: none
};

struct RecordingDirectory {
  RecordingFacts facts;
  archive::Section code, symbols, lines;
  std::vector<ThreadEntry> threads;
};

/// Tokens of 32 bits. Below kFirstSpecialToken: the block of that number runs.
inline constexpr std::uint32_t kFirstSpecialToken = 0x7ffffff0;
inline constexpr std::uint32_t kMarkToken = 0x7ffffff0;  ///< kind, leaves and tries, object, sequence: five more tokens
inline constexpr std::uint32_t kGapToken = 0x7ffffff1;   ///< the thread ran on without being recorded
inline constexpr std::uint32_t kAccessBit = 0x80000000;  ///< an access to memory

}  // namespace warpfork::x86
