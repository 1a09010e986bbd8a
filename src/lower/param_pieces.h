// By which accesses a function reads a parameter, or writes a result (PTX ISA, "Device Function Parameters").
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpfork::lower {

struct ParamPiece {
  std::int64_t offset = 0;
  unsigned bytes = 0;
  bool operator==(const ParamPiece&) const = default;
};

/// Ascending. Of a .param variable that the body accesses otherwise than by ld.param and st.param of its name, at most
/// 8 bytes at a time and each byte by one kind of piece, all of its bytes in pieces as large as its alignment allows.
std::vector<ParamPiece> pieces_of(const ptx::Function& function, const ptx::Variable& variable);

}  // namespace warpfork::lower
