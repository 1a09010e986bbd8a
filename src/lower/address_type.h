// Of what type addresses are.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

inline ptx::ScalarType address_type(const ptx::Module& module) {
  return module.address_bits == 64 ? ptx::ScalarType::U64 : ptx::ScalarType::U32;
}

}  // namespace warpfork::lower
