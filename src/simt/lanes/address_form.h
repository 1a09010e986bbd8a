// The first operand of a memory instruction: where the load/store unit finds the base address.
#pragma once

#include <cstdint>

namespace warpfork::simt {

struct AddressForm {
  /// The address is Instruction::immediate itself.
  static constexpr std::uint32_t kLiteral = 0xffffffff;
  /// Added to the offset of a row of 32-bit addresses; rows lie at multiples of 128. Without it they are 64-bit.
  static constexpr std::uint32_t k32Bits = 1;
};

}  // namespace warpfork::simt
