// The file of a saved launch, FILE.wfl: docs/saved-launches.md describes it field by field.
#pragma once

#include <cstdint>
#include <vector>

#include "archive/file_header.h"
#include "checkpoint/saved_launch.h"

namespace warpfork::checkpoint {

using archive::Section;

inline constexpr archive::FileKind kFileKind{
    .magic = {'w', 'f', 'l', 'a', 'u', 'n', 'c', 'h'},
    .version = 1,
    .name = "saved launch",
    .maker = "warpfork run --save-launch N -o FILE.wfl PROGRAM",
    .again = "save the launch again",
};

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
