// From PTX scalar types (PTX ISA, "Types") to the host types whose arithmetic the handlers use.
#pragma once

#include <cstdint>

#include "ptx/types.h"
#include "simt/lanes/lanewise.h"

namespace warpfork::simt::WARPFORK_LANES {

/// visit(T{}) with T of the width and signedness of an integer or untyped PTX type of 8 to 64 bits; null for others.
template <typename Visit>
Handler for_integer(ptx::ScalarType type, Visit visit) {
  using enum ptx::ScalarType;
  switch (type) {
    case U8:
    case B8:
      return visit(std::uint8_t{});
    case S8:
      return visit(std::int8_t{});
    case U16:
    case B16:
      return visit(std::uint16_t{});
    case S16:
      return visit(std::int16_t{});
    case U32:
    case B32:
      return visit(std::uint32_t{});
    case S32:
      return visit(std::int32_t{});
    case U64:
    case B64:
      return visit(std::uint64_t{});
    case S64:
      return visit(std::int64_t{});
    default:
      return nullptr;
  }
}

/// Integer arithmetic exists for 16, 32 and 64 bits.
template <typename Visit>
Handler for_arithmetic_integer(ptx::ScalarType type, Visit visit) {
  return for_integer(type, [&](auto t) -> Handler {
    if constexpr (sizeof t == 1)
      return nullptr;
    else
      return visit(t);
  });
}

/// visit(T{}) with an unsigned T of the type's width, 16 to 64 bits, whatever the type: for bitwise operations and
/// moves.
template <typename Visit>
Handler for_width(ptx::ScalarType type, Visit visit) {
  switch (ptx::bits_of(type)) {
    case 16:
      return visit(std::uint16_t{});
    case 32:
      return visit(std::uint32_t{});
    case 64:
      return visit(std::uint64_t{});
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
