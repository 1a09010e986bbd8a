// Which of the bytes that an instruction takes of memory the program means (docs/checks.md).
#pragma once

#include <span>
#include <vector>

#include "simt/program.h"

namespace warpfork::simt {

/// Compilers load a whole structure as a vector to use two of its members: elements whose registers nobody reads are
/// not the program's reads.
class UsedBytes {
 public:
  struct Piece {
    unsigned offset, bytes;  // of what a thread accesses
  };

  explicit UsedBytes(const Program& program);

  /// All in one piece, or the elements of a vector that are used.
  std::span<const Piece> of(Pc pc) const { return pieces_[pc]; }

 private:
  std::vector<std::vector<Piece>> pieces_;
};

}  // namespace warpfork::simt
