// Types of accesses that move bits (PTX ISA, "Fundamental Types").
#pragma once

#include "ptx/types.h"

namespace warpfork::lower {

/// .b8 to .b128.
inline ptx::ScalarType untyped(unsigned bytes) {
  switch (bytes) {
    case 1:
      return ptx::ScalarType::B8;
    case 2:
      return ptx::ScalarType::B16;
    case 4:
      return ptx::ScalarType::B32;
    case 16:
      return ptx::ScalarType::B128;
    default:
      return ptx::ScalarType::B64;
  }
}

}  // namespace warpfork::lower
