// A recording's file, FILE.wft: docs/recording.md describes it field by field.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpfork::x86 {

inline constexpr std::array<char, 8> kRecordingMagic = {'w', 'a', 'r', 'p', 'f', 'o', 'r', 'k'};
inline constexpr std::uint32_t kRecordingVersion = 1;

/// The first bytes of the file.
struct RecordingHeader {
  std::array<char, 8> magic = kRecordingMagic;
  std::uint32_t version = kRecordingVersion;
  std::uint32_t header_bytes = 64;
  std::uint64_t file_bytes = 0;
  std::uint64_t directory_offset = 0, directory_bytes = 0, directory_raw_bytes = 0;
  std::uint64_t directory_checksum = 0;  ///< the directory holds the checksums of everything else
  std::uint64_t header_checksum = 0;     ///< of the 56 bytes before
};
static_assert(sizeof(RecordingHeader) == 64);

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
  std::vector<FrameEntry> frames;
};

/// A compressed part of the file.
struct SectionEntry {
  std::uint64_t offset = 0, bytes = 0, raw_bytes = 0, checksum = 0;
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
  SectionEntry code, symbols, lines;
  std::vector<ThreadEntry> threads;
};

/// Tokens of 32 bits. Below kFirstSpecialToken: the block of that number runs.
inline constexpr std::uint32_t kFirstSpecialToken = 0x7ffffff0;
inline constexpr std::uint32_t kMarkToken = 0x7ffffff0;  ///< kind and leaves, object, sequence: five more tokens
inline constexpr std::uint32_t kGapToken = 0x7ffffff1;   ///< the thread ran on without being recorded
inline constexpr std::uint32_t kAccessBit = 0x80000000;  ///< an access to memory

}  // namespace warpfork::x86
