// Integer operands as the numbers that they are, whatever their type.
#pragma once

#include <cstdint>

#include "reference/thread.h"

namespace warpfork::reference {

using Int = __int128;  // holds every operand exactly

/// Bits as the number that the type says they are.
inline Int number(std::uint64_t bits, ptx::ScalarType type) {
  return ptx::is_signed(type) ? Int{sign_extend(bits, ptx::bits_of(type))} : Int{bits};
}
/// Of an operand.
inline Int number(const Thread& thread, std::size_t index, ptx::ScalarType type) {
  return number(thread.read(index, type), type);
}

}  // namespace warpfork::reference
