// Floats of at most eight bits (PTX ISA, "Alternate Floating-Point Data Formats").
#pragma once

#include <cstdint>

#include "ptx/types.h"
#include "reference/soft_float.h"

namespace warpfork::reference {

/// A format as the ISA describes it: all codes up to `most` are numbers. Two lie `apart` bits from one another.
struct ByteFormat {
  FloatFormat layout;
  std::uint64_t most, nan;
  bool has_infinity;
  unsigned apart;
};

/// Of a type of one, or of two in a register; null for others.
const ByteFormat* byte_format(ptx::ScalarType type);

/// The number of a code without its sign, which is at most `most`.
Real value_of_code(std::uint64_t magnitude, FloatFormat layout);
Real value_of_byte(std::uint64_t byte, const ByteFormat& format);

}  // namespace warpfork::reference
