// PTX ISA, integer instructions on bit fields, bytes and halves: popc, clz, bfind, fns, brev, bfe, bfi, szext, bmsk,
// dp4a, dp2a, prmt.
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using std::int32_t;
using std::uint32_t;
using std::uint64_t;

inline constexpr uint32_t kNotFound = 0xffffffff;

struct Popc {
  template <typename T>
  static uint32_t apply(T a) {
    return static_cast<uint32_t>(std::popcount(a));
  }
};
struct Clz {
  template <typename T>
  static uint32_t apply(T a) {
    return static_cast<uint32_t>(std::countl_zero(a));
  }
};
/// Position of the highest bit that is not a sign bit.
template <bool ShiftAmount>
struct Bfind {
  template <typename T>
  static uint32_t apply(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = static_cast<U>(a);
    if (std::is_signed_v<T> && a < 0) bits = static_cast<U>(~bits);
    if (bits == 0) return kNotFound;
    const uint32_t leading = static_cast<uint32_t>(std::countl_zero(bits));
    return ShiftAmount ? leading : static_cast<uint32_t>(8 * sizeof(T)) - 1 - leading;
  }
};
struct Fns {
  static constexpr bool kCostly = true;
  static uint32_t apply(uint32_t mask, uint32_t base, int32_t offset) {
    const auto is_set = [&](int32_t position) { return ((mask >> position) & 1) != 0; };
    if (base >= 32) return kNotFound;
    int32_t position = static_cast<int32_t>(base);
    if (offset == 0) return is_set(position) ? base : kNotFound;
    const int32_t step = offset > 0 ? 1 : -1;
    uint32_t still = (offset > 0 ? static_cast<uint32_t>(offset) : 0u - static_cast<uint32_t>(offset)) - 1;
    for (; position >= 0 && position < 32; position += step)
      if (is_set(position) && still-- == 0) return static_cast<uint32_t>(position);
    return kNotFound;
  }
};
struct Brev {
  template <typename T>
  static T apply(T a) {
    T reversed = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) reversed |= ((a >> bit) & 1) << (8 * sizeof(T) - 1 - bit);
    return reversed;
  }
};
struct Bfe {
  template <typename T>
  static T apply(T a, uint32_t b, uint32_t c) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t kWidth = 8 * sizeof(T);
    const uint32_t position = b & 0xff, length = c & 0xff;
    if (length == 0) return 0;
    // Beyond the top bit the field is filled with zeros, or with the highest bit that it has of a signed operand.
    const uint32_t last = position + length - 1 < kWidth - 1 ? position + length - 1 : kWidth - 1;
    const bool sign = std::is_signed_v<T> && ((static_cast<U>(a) >> last) & 1) != 0;
    const U fill = sign ? static_cast<U>(~U{0}) : U{0};
    const uint32_t kept = position >= kWidth ? 0 : (length < kWidth - position ? length : kWidth - position);
    const U field = position >= kWidth ? U{0} : static_cast<U>(static_cast<U>(a) >> position);
    if (kept == kWidth) return static_cast<T>(field);
    const U mask = static_cast<U>((U{1} << kept) - 1);
    return static_cast<T>((field & mask) | (fill & static_cast<U>(~mask)));
  }
};
struct Bfi {
  template <typename T>
  static T apply(T a, T b, uint32_t c, uint32_t d) {
    constexpr uint32_t kWidth = 8 * sizeof(T);
    const uint32_t position = c & 0xff, length = d & 0xff;
    if (position >= kWidth || length == 0) return b;
    const T ones = length >= kWidth ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << position);
    return static_cast<T>((b & ~mask) | ((a << position) & mask));
  }
};
template <bool Clamp>
struct Szext {
  template <typename T>
  static uint32_t apply(T a, uint32_t b) {
    const uint32_t bits = static_cast<uint32_t>(a);
    if (Clamp && b >= 32) return bits;
    const uint32_t count = b & 31;
    const uint32_t mask = ~uint32_t{0} << count;
    const bool sign = std::is_signed_v<T> && count != 0 && ((bits >> ((count - 1) & 31)) & 1) != 0;
    return (bits & ~mask) | (sign ? mask : 0);
  }
};
template <bool Clamp>
struct Bmsk {
  static uint32_t apply(uint32_t a, uint32_t b) {
    const uint32_t start = a & 31, end = start + (b & 31);
    const uint32_t from_start = Clamp && a >= 32 ? 0 : ~uint32_t{0} << start;
    const bool to_the_top = end >= 32 || (Clamp && (a >= 32 || b >= 32));
    return from_start & (to_the_top ? ~uint32_t{0} : ~(~uint32_t{0} << (end & 31)));
  }
};

template <bool Signed>
int32_t byte_of(uint32_t word, unsigned index) {
  const uint32_t byte = (word >> (8 * index)) & 0xff;
  return Signed ? static_cast<int32_t>(static_cast<std::int8_t>(byte)) : static_cast<int32_t>(byte);
}

template <bool SignedA, bool SignedB>
struct Dp4a {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t sum = c;
    for (unsigned i = 0; i < 4; ++i) sum += static_cast<uint32_t>(byte_of<SignedA>(a, i) * byte_of<SignedB>(b, i));
    return sum;
  }
};
template <bool SignedA, bool SignedB, bool High>
struct Dp2a {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t sum = c;
    for (unsigned i = 0; i < 2; ++i) {
      const uint32_t half = (a >> (16 * i)) & 0xffff;
      const int32_t left = SignedA ? static_cast<int32_t>(static_cast<std::int16_t>(half)) : static_cast<int32_t>(half);
      sum += static_cast<uint32_t>(left * byte_of<SignedB>(b, i + (High ? 2 : 0)));
    }
    return sum;
  }
};

struct PrmtIndex {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t selector = (c >> (4 * i)) & 0xf;
      uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
      if (selector & 8) byte = byte & 0x80 ? 0xff : 0;  // the sign of the byte, eight times
      result |= byte << (8 * i);
    }
    return result;
  }
};
/// The other modes of prmt choose their four bytes by c & 3 from this table, byte 0 in the lowest digit.
template <Modifier Mode>
struct PrmtMode {
  static constexpr std::uint16_t selectors(uint32_t c) {
    constexpr std::uint16_t kF4e[] = {0x3210, 0x4321, 0x5432, 0x6543};
    constexpr std::uint16_t kB4e[] = {0x5670, 0x6701, 0x7012, 0x0123};
    constexpr std::uint16_t kRc8[] = {0x0000, 0x1111, 0x2222, 0x3333};
    constexpr std::uint16_t kEcl[] = {0x3210, 0x3211, 0x3222, 0x3333};
    constexpr std::uint16_t kEcr[] = {0x0000, 0x1110, 0x2210, 0x3210};
    constexpr std::uint16_t kRc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
    switch (Mode) {
      case Modifier::F4e:
        return kF4e[c & 3];
      case Modifier::B4e:
        return kB4e[c & 3];
      case Modifier::Rc8:
        return kRc8[c & 3];
      case Modifier::Ecl:
        return kEcl[c & 3];
      case Modifier::Ecr:
        return kEcr[c & 3];
      default:
        return kRc16[c & 3];
    }
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) { return PrmtIndex::apply(a, b, selectors(c)); }
};

Handler select_prmt(const Operation& operation) {
  if (operation.has(Modifier::F4e)) return lanewise<PrmtMode<Modifier::F4e>, uint32_t, uint32_t, uint32_t, uint32_t>;
  if (operation.has(Modifier::B4e)) return lanewise<PrmtMode<Modifier::B4e>, uint32_t, uint32_t, uint32_t, uint32_t>;
  if (operation.has(Modifier::Rc8)) return lanewise<PrmtMode<Modifier::Rc8>, uint32_t, uint32_t, uint32_t, uint32_t>;
  if (operation.has(Modifier::Ecl)) return lanewise<PrmtMode<Modifier::Ecl>, uint32_t, uint32_t, uint32_t, uint32_t>;
  if (operation.has(Modifier::Ecr)) return lanewise<PrmtMode<Modifier::Ecr>, uint32_t, uint32_t, uint32_t, uint32_t>;
  if (operation.has(Modifier::Rc16)) return lanewise<PrmtMode<Modifier::Rc16>, uint32_t, uint32_t, uint32_t, uint32_t>;
  return lanewise<PrmtIndex, uint32_t, uint32_t, uint32_t, uint32_t>;
}

template <template <bool, bool> class Op>
Handler select_dot(const Operation& operation) {
  if (operation.instruction.types.size() != 2) return nullptr;
  const bool a = ptx::is_signed(operation.instruction.types[0]), b = ptx::is_signed(operation.instruction.types[1]);
  if (a)
    return b ? lanewise<Op<true, true>, uint32_t, uint32_t, uint32_t, uint32_t>
             : lanewise<Op<true, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
  return b ? lanewise<Op<false, true>, uint32_t, uint32_t, uint32_t, uint32_t>
           : lanewise<Op<false, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
}

template <bool SignedA, bool SignedB>
using Dp2aLow = Dp2a<SignedA, SignedB, false>;
template <bool SignedA, bool SignedB>
using Dp2aHigh = Dp2a<SignedA, SignedB, true>;

/// A result of 32 bits from an unsigned operand of 32 or 64.
template <typename Op>
Handler count(ScalarType type) {
  return ptx::bits_of(type) == 64 ? lanewise<Op, uint32_t, uint64_t> : lanewise<Op, uint32_t, uint32_t>;
}

template <bool ShiftAmount>
Handler select_bfind(ScalarType type) {
  return for_arithmetic_integer(type,
                                [](auto t) -> Handler { return lanewise<Bfind<ShiftAmount>, uint32_t, decltype(t)>; });
}

Handler select_field(const Operation& operation) {
  const bool wide = ptx::bits_of(operation.type()) == 64;
  if (operation.instruction.opcode == Opcode::Bfi)
    return wide ? lanewise<Bfi, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>
                : lanewise<Bfi, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  return for_arithmetic_integer(operation.type(), [](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return lanewise<Bfe, T, T, uint32_t, uint32_t>;
  });
}

Handler select_mask(const Operation& operation) {
  const bool clamp = operation.has(Modifier::Clamp);
  if (operation.instruction.opcode == Opcode::Bmsk)
    return clamp ? lanewise<Bmsk<true>, uint32_t, uint32_t, uint32_t>
                 : lanewise<Bmsk<false>, uint32_t, uint32_t, uint32_t>;
  if (ptx::is_signed(operation.type()))
    return clamp ? lanewise<Szext<true>, uint32_t, int32_t, uint32_t>
                 : lanewise<Szext<false>, uint32_t, int32_t, uint32_t>;
  return clamp ? lanewise<Szext<true>, uint32_t, uint32_t, uint32_t>
               : lanewise<Szext<false>, uint32_t, uint32_t, uint32_t>;
}

}  // namespace

Handler select_bits(const Operation& operation) {
  const ScalarType type = operation.type();
  switch (operation.instruction.opcode) {
    case Opcode::Popc:
      return count<Popc>(type);
    case Opcode::Clz:
      return count<Clz>(type);
    case Opcode::Bfind:
      return operation.has(Modifier::Shiftamt) ? select_bfind<true>(type) : select_bfind<false>(type);
    case Opcode::Fns:
      return lanewise<Fns, uint32_t, uint32_t, uint32_t, int32_t>;
    case Opcode::Brev:
      return ptx::bits_of(type) == 64 ? lanewise<Brev, uint64_t, uint64_t> : lanewise<Brev, uint32_t, uint32_t>;
    case Opcode::Bfe:
    case Opcode::Bfi:
      return select_field(operation);
    case Opcode::Szext:
    case Opcode::Bmsk:
      return select_mask(operation);
    case Opcode::Dp4a:
      return select_dot<Dp4a>(operation);
    case Opcode::Dp2a:
      return operation.has(Modifier::Hi) ? select_dot<Dp2aHigh>(operation) : select_dot<Dp2aLow>(operation);
    case Opcode::Prmt:
      return select_prmt(operation);
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
