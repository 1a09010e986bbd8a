// PTX ISA, "Integer Arithmetic Instructions" without the bit field and carry instructions.
//
// What the ISA leaves open: a quotient and a remainder by zero are all ones; the smallest integer divided by -1 is
// itself, with remainder 0.
#include <limits>

#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"
#include "simt/lanes/with_literal.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

template <typename T>
using Double = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

std::int32_t clamp_to_s32(std::int64_t value) {
  return static_cast<std::int32_t>(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Sub {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct AddSaturated {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return clamp_to_s32(std::int64_t{a} + b); }
};
struct SubSaturated {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return clamp_to_s32(std::int64_t{a} - b); }
};
struct MulLo {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct MulHi {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>((Double<T>(a) * Double<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <typename T>
  static Double<T> apply(T a, T b) {
    return Double<T>(a) * Double<T>(b);
  }
};
struct MadLo {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(MulLo::apply(a, b), c);
  }
};
struct MadHi {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(MulHi::apply(a, b), c);
  }
};
struct MadHiSaturated {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return clamp_to_s32(std::int64_t{MulHi::apply(a, b)} + c);
  }
};
struct MadWide {
  template <typename T>
  static Double<T> apply(T a, T b, Double<T> c) {
    return Add::apply(MulWide::apply(a, b), c);
  }
};

/// The low 24 bits, zero- or sign-extended.
inline std::int64_t low24(std::uint32_t a) { return a & 0xffffff; }
inline std::int64_t low24(std::int32_t a) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8; }

struct Mul24Lo {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mul24Hi {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>((low24(a) * low24(b)) >> 16);
  }
};
struct Mad24Lo {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(Mul24Lo::apply(a, b), c);
  }
};
struct Mad24Hi {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(Mul24Hi::apply(a, b), c);
  }
};
struct Mad24HiSaturated {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return clamp_to_s32(std::int64_t{Mul24Hi::apply(a, b)} + c);
  }
};

struct Sad {
  template <typename T>
  static T apply(T a, T b, T c) {
    const T difference = a > b ? Sub::apply(a, b) : Sub::apply(b, a);
    return Add::apply(c, difference);
  }
};
struct Div {
  static constexpr bool kCostly = true;
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return Sub::apply(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Rem {
  static constexpr bool kCostly = true;
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct Neg {
  template <typename T>
  static T apply(T a) {
    return Sub::apply(T{0}, a);
  }
};
struct Abs {
  template <typename T>
  static T apply(T a) {
    return a < 0 ? Neg::apply(a) : a;
  }
};
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

/// `.relu`: a negative result is 0.
template <typename Op>
struct NotNegative {
  template <typename T>
  static T apply(T a, T b) {
    return Max::apply(Op::apply(a, b), T{0});
  }
};

/// One of the operations above on the two 16-bit halves of a 32-bit register.
template <typename Op, typename T>
struct Halves {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t low = static_cast<std::uint16_t>(Op::apply(static_cast<T>(a), static_cast<T>(b)));
    const std::uint32_t high = static_cast<std::uint16_t>(Op::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | high << 16;
  }
};

template <typename Op>
Handler packed(ScalarType type) {
  if (type == ScalarType::U16x2)
    return lanewise<Halves<Op, std::uint16_t>, std::uint32_t, std::uint32_t, std::uint32_t>;
  if (type == ScalarType::S16x2) return lanewise<Halves<Op, std::int16_t>, std::uint32_t, std::uint32_t, std::uint32_t>;
  return nullptr;
}

/// An operation whose result does not depend on signedness.
template <typename Op>
Handler modular(const Operation& operation) {
  return for_arithmetic_integer(operation.type(), [&](auto t) -> Handler {
    using T = std::make_unsigned_t<decltype(t)>;
    return with_literal<Op, T, T, T>(operation);
  });
}

template <typename Op>
Handler binary(ScalarType type) {
  return for_arithmetic_integer(type, [](auto t) -> Handler {
    using T = decltype(t);
    return lanewise<Op, T, T, T>;
  });
}

/// `.relu` is of signed types alone.
template <typename Op>
Handler select_extreme(const Operation& operation) {
  const ScalarType type = operation.type();
  if (operation.has(Modifier::Relu)) {
    const Handler handler = packed<NotNegative<Op>>(type);
    return handler ? handler : lanewise<NotNegative<Op>, std::int32_t, std::int32_t, std::int32_t>;
  }
  const Handler handler = packed<Op>(type);
  return handler ? handler : binary<Op>(type);
}

template <typename Op>
Handler ternary(ScalarType type) {
  return for_arithmetic_integer(type, [](auto t) -> Handler {
    using T = decltype(t);
    return lanewise<Op, T, T, T, T>;
  });
}

template <typename Op>
Handler unary_signed(ScalarType type) {
  return for_arithmetic_integer(type, [](auto t) -> Handler {
    using T = std::make_signed_t<decltype(t)>;
    return lanewise<Op, T, T>;
  });
}

Handler select_mul(const Operation& operation) {
  if (operation.has(Modifier::Wide))
    return for_arithmetic_integer(operation.type(), [&](auto t) -> Handler {
      using T = decltype(t);
      if constexpr (sizeof(T) == 8)
        return nullptr;
      else
        return with_literal<MulWide, Double<T>, T, T>(operation);
    });
  if (operation.has(Modifier::Hi)) return binary<MulHi>(operation.type());
  return modular<MulLo>(operation);
}

Handler select_mad(const Operation& operation) {
  const ScalarType type = operation.type();
  if (operation.has(Modifier::Sat) && !operation.has(Modifier::Hi)) return nullptr;
  if (operation.has(Modifier::Wide))
    return for_arithmetic_integer(type, [](auto t) -> Handler {
      using T = decltype(t);
      if constexpr (sizeof(T) == 8)
        return nullptr;
      else
        return lanewise<MadWide, Double<T>, T, T, Double<T>>;
    });
  if (operation.has(Modifier::Hi)) {
    if (operation.has(Modifier::Sat))
      return lanewise<MadHiSaturated, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
    return ternary<MadHi>(type);
  }
  return for_arithmetic_integer(type, [](auto t) -> Handler {
    using T = std::make_unsigned_t<decltype(t)>;
    return lanewise<MadLo, T, T, T, T>;
  });
}

Handler select_24(const Operation& operation) {
  const bool hi = operation.has(Modifier::Hi);
  const auto with = [&](auto t) -> Handler {
    using T = decltype(t);
    if (operation.instruction.opcode == Opcode::Mul24)
      return hi ? lanewise<Mul24Hi, T, T, T> : lanewise<Mul24Lo, T, T, T>;
    return hi ? lanewise<Mad24Hi, T, T, T, T> : lanewise<Mad24Lo, T, T, T, T>;
  };
  if (operation.type() == ScalarType::U32) return with(std::uint32_t{});
  if (operation.type() != ScalarType::S32) return nullptr;
  if (operation.has(Modifier::Sat))
    return hi ? lanewise<Mad24HiSaturated, std::int32_t, std::int32_t, std::int32_t, std::int32_t> : nullptr;
  return with(std::int32_t{});
}

Handler select_saturated(const Operation& operation) {
  return operation.instruction.opcode == Opcode::Add ? lanewise<AddSaturated, std::int32_t, std::int32_t, std::int32_t>
                                                     : lanewise<SubSaturated, std::int32_t, std::int32_t, std::int32_t>;
}

}  // namespace

Handler select_integer(const Operation& operation) {
  const ScalarType type = operation.type();
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      if (operation.has(Modifier::Sat)) return select_saturated(operation);
      if (const Handler handler = packed<Add>(type)) return handler;
      return modular<Add>(operation);
    case Opcode::Sub:
      return operation.has(Modifier::Sat) ? select_saturated(operation) : modular<Sub>(operation);
    case Opcode::Mul:
      return select_mul(operation);
    case Opcode::Mad:
      return select_mad(operation);
    case Opcode::Mul24:
    case Opcode::Mad24:
      return select_24(operation);
    case Opcode::Sad:
      return ternary<Sad>(type);
    case Opcode::Div:
      return binary<Div>(type);
    case Opcode::Rem:
      return binary<Rem>(type);
    case Opcode::Neg:
      return unary_signed<Neg>(type);
    case Opcode::Abs:
      return unary_signed<Abs>(type);
    case Opcode::Min:
      return select_extreme<Min>(operation);
    case Opcode::Max:
      return select_extreme<Max>(operation);
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
