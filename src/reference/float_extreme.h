// The smaller or the larger of two floats, as `min`, `max`, `redux.sync` and vector `atom` and `red` define it.
#pragma once

#include <cstdint>

#include "ptx/instruction.h"
#include "reference/soft_float.h"

namespace warpfork::reference {

/// A number beats a NaN unless the instruction says `.NaN`; −0 is below +0. `.abs` takes magnitudes, `.xorsign.abs`
/// gives the result the product of the signs besides.
std::uint64_t float_extreme(const ptx::Instruction& instruction, FloatFormat format, std::uint64_t a, std::uint64_t b);

}  // namespace warpfork::reference
