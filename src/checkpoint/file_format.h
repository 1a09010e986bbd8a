// The file of a saved launch, FILE.wfl: docs/saved-launches.md describes it field by field.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "checkpoint/saved_launch.h"

namespace warpfork::checkpoint {

inline constexpr std::array<char, 8> kMagic = {'w', 'f', 'l', 'a', 'u', 'n', 'c', 'h'};
inline constexpr std::uint32_t kVersion = 1;

/// A compressed part of the file.
struct Section {
  std::uint64_t offset = 0, bytes = 0, raw_bytes = 0, checksum = 0;
};

/// The first bytes of the file.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t header_bytes = 64;
  std::uint64_t file_bytes = 0;
  Section directory;                  ///< which holds the checksums of everything else
  std::uint64_t header_checksum = 0;  ///< of the 56 bytes before
};
static_assert(sizeof(Header) == 64);

/// What a stretch of an allocation holds. Where there is none it holds zeros.
struct Piece {
  std::uint64_t address = 0;
  Section section;
};

struct Directory {
  SavedLaunch launch;
  Section ptx;
  std::vector<Piece> pieces;
};

}  // namespace warpfork::checkpoint
