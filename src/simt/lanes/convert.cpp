// PTX ISA, "cvt", of one value: between integers, floats and the 16-bit floats, with every rounding, .sat and .ftz.
#include <limits>

#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"
#include "simt/lanes/with_clamps.h"
#include "simt/lanes/with_rounding.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::ScalarType;

/// The two 16-bit formats as types of their own; a register holds their bits as std::uint16_t.
template <typename Format>
struct Small {
  using Stored = std::uint16_t;
  static double read(Stored bits) { return Format::to_double(bits); }
};
struct F32 {
  using Stored = float;
  static double read(Stored value) { return value; }
};
struct F64 {
  using Stored = double;
  static double read(Stored value) { return value; }
};

/// Towards zero, or as the host's rounding mode says.
template <bool Truncates>
double round_to_integer(double value) {
  return Truncates ? std::trunc(value) : std::nearbyint(value);
}

/// Rare forms are not worth the vector code that they would become.
template <bool Rare>
struct LaneByLane {};
template <>
struct LaneByLane<true> {
  static constexpr bool kCostly = true;
};

// --- Integer to integer: the value in the destination's type, clamped or cut.

template <typename To, bool Sat>
struct Resize : LaneByLane<Sat> {
  template <typename From>
  static To apply(From value) {
    if constexpr (Sat) {
      // Comparisons of a mixed pair of types, done right.
      if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
      if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    }
    return static_cast<To>(value);
  }
};

// --- Float to integer: clamped to the destination's range.

/// NaN becomes 0, but where f64 or a 64-bit integer takes part the lone top bit (PTX ISA 9.0, "cvt").
template <typename To, typename From>
constexpr To of_nan() {
  const bool wide = sizeof(typename From::Stored) == 8 || sizeof(To) == 8;
  return wide ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1)) : To{0};
}

template <typename To, typename From, bool Truncates, bool Ftz>
struct ToInteger : LaneByLane<sizeof(typename From::Stored) == 2 || sizeof(To) != 4> {
  static To apply(typename From::Stored stored) {
    if constexpr (Ftz) stored = flush(stored);
    const double value = round_to_integer<Truncates>(From::read(stored));
    constexpr double kLow = static_cast<double>(std::numeric_limits<To>::min());
    // One above the largest value: a power of two, so exact in double for every width.
    constexpr double kAbove = 2.0 * static_cast<double>(std::numeric_limits<To>::max() / 2 + 1);
    if (value >= kAbove) return std::numeric_limits<To>::max();
    if (value > kLow) return static_cast<To>(value);
    return value <= kLow ? std::numeric_limits<To>::min() : of_nan<To, From>();
  }
};

// --- To float. The host's rounding mode is set around these where PTX asks for another than to nearest.

template <typename To, bool Sat>
struct FromInteger {
  static constexpr bool kCostly = true;  // vector code would convert in steps, which directed rounding would show
  template <typename From>
  static To apply(From value) {
    const To result = converted(value);
    return Sat ? saturate(result) : result;
  }

 private:
  /// The host converts signed numbers. Some compilers make a difference of large numbers of the others, which rounded
  /// downwards is -0 for zero.
  template <typename From>
  static To converted(From value) {
    if constexpr (std::is_same_v<From, std::uint64_t>)
      if (value >> 63 == 0) return static_cast<To>(static_cast<std::int64_t>(value));
    return static_cast<To>(value);
  }
};

/// With double precision on one side a NaN keeps its sign and what fits of its payload, as the host's conversions have
/// it too; flushing in single precision makes it that precision's NaN first.
template <typename To, typename From, bool Ftz, bool Sat>
struct Float : LaneByLane<sizeof(typename From::Stored) == 2> {
  static To apply(typename From::Stored stored) {
    if constexpr (Ftz && sizeof(stored) == 4) stored = canonical(flush(stored));
    To result = static_cast<To>(From::read(stored));
    if constexpr (Ftz && sizeof(To) == 4) result = flush(result);
    if constexpr (Sat)
      return saturate(result);
    else if constexpr (sizeof(To) == 8 || sizeof(stored) == 8)
      return result;
    else
      return canonical(result);
  }
};

struct Same {
  template <typename T>
  static T apply(T value) {
    return value;
  }
};

struct RoundToInteger {
  template <typename T>
  static T apply(T value) {
    return static_cast<T>(round_to_integer<false>(value));
  }
};

/// An integer of at most as many bits as the format has is exact in it.
template <typename Format, bool Sat>
struct SmallToIntegral {
  static constexpr bool kCostly = true;
  static std::uint16_t apply(std::uint16_t bits) {
    const double value = round_to_integer<false>(Format::to_double(bits));
    return Format::from_double(Sat ? saturate(value) : value, Rounding::Nearest);
  }
};

/// To f16 or bf16 from anything that a double holds exactly.
template <typename Format, Rounding Mode, bool Sat>
struct ToSmall {
  static constexpr bool kCostly = true;
  static std::uint16_t apply_value(double value) { return Format::from_double(Sat ? saturate(value) : value, Mode); }
};
template <typename Format, Rounding Mode, bool Ftz, bool Sat, typename From>
struct FloatToSmall : ToSmall<Format, Mode, Sat> {
  static std::uint16_t apply(typename From::Stored stored) {
    if constexpr (Ftz && sizeof(stored) == 4) stored = flush(stored);
    if constexpr (!Sat && sizeof(stored) == 8) return Format::convert(stored, Mode);
    return ToSmall<Format, Mode, Sat>::apply_value(From::read(stored));
  }
};
/// Under .relu and .satfinite.
template <typename Format, Rounding Mode, bool Relu, bool Finite>
struct FloatToClamped {
  static constexpr bool kCostly = true;
  static std::uint16_t apply(float value) { return clamped<Format, Relu, Finite>(Format::from_double(value, Mode)); }
};
template <typename Format, Rounding Mode, bool Sat>
struct IntegerToSmall : ToSmall<Format, Mode, Sat> {
  /// 64-bit integers are first brought to 53 bits with a sticky last bit, so that they are rounded once.
  template <typename From>
  static std::uint16_t apply(From value) {
    if constexpr (sizeof(From) == 8) {
      const bool negative = value < 0;
      std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
      if (magnitude >> 53) magnitude = (magnitude & ~std::uint64_t{0xfff}) | ((magnitude & 0xfff) != 0 ? 0x1000 : 0);
      const double exact = static_cast<double>(magnitude);
      return ToSmall<Format, Mode, Sat>::apply_value(negative ? -exact : exact);
    } else {
      return ToSmall<Format, Mode, Sat>::apply_value(value);
    }
  }
};

/// f32 with ten bits of its fraction, in a register of 32 bits.
template <Modifier Mode, bool Relu, bool Finite>
struct ToTf32 {
  static std::uint32_t apply(std::uint32_t bits) {
    constexpr std::uint32_t kDropped = 13, kHalf = 1u << (kDropped - 1);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fffffff;
    const std::uint32_t last = bits >> kDropped & 1;
    const std::uint32_t up = Mode == Modifier::Rna ? kHalf : Mode == Modifier::Rn ? kHalf - 1 + last : 0;
    const std::uint32_t rounded = (bits + up) >> kDropped << kDropped;
    if (Relu && rounded >> 31 != 0) return 0;
    return Finite && (rounded & 0x7fffffff) == 0x7f800000 ? rounded - (1u << kDropped) : rounded;
  }
};

Handler to_tf32(const Operation& operation) {
  return with_clamps(operation, [&](auto relu, auto finite) -> Handler {
    using U = std::uint32_t;
    if (operation.has(Modifier::Rna)) return relu() ? nullptr : lanewise<ToTf32<Modifier::Rna, false, finite()>, U, U>;
    if (operation.has(Modifier::Rn)) return lanewise<ToTf32<Modifier::Rn, relu(), finite()>, U, U>;
    return lanewise<ToTf32<Modifier::Rz, relu(), finite()>, U, U>;
  });
}

template <typename Visit>
Handler with_sat(const Operation& operation, Visit visit) {
  return operation.has(Modifier::Sat) ? visit(std::true_type{}) : visit(std::false_type{});
}

bool rounds_to_integer(const Operation& operation) {
  return operation.has(Modifier::Rni) || operation.has(Modifier::Rzi) || operation.has(Modifier::Rmi) ||
         operation.has(Modifier::Rpi);
}

bool is_directed(const Operation& operation) {
  return operation.has(Modifier::Rz) || operation.has(Modifier::Rm) || operation.has(Modifier::Rp);
}

template <typename Op, typename Out, typename In>
Handler maybe_directed(const Operation& operation) {
  return is_directed(operation) ? lanewise_rounded<Op, Out, In> : lanewise<Op, Out, In>;
}

/// The operand stands in the low bits of a register of this type.
template <typename Op, typename From, typename Register>
struct InWide : LaneByLane<true> {
  static auto apply(Register value) { return Op::apply(static_cast<From>(value)); }
};

template <typename To, typename From, bool Sat>
Handler resize(const Operation& operation) {
  using Op = Resize<To, Sat>;
  // The register's own width: sign- or zero-extended by the type of the result.
  using Register64 = std::conditional_t<std::is_signed_v<To>, std::int64_t, std::uint64_t>;
  const bool wide_destination = operation.wide_destination && sizeof(To) < 8;
  if (operation.wide_source && sizeof(From) < 8)
    return wide_destination ? lanewise<InWide<Op, From, std::uint64_t>, Register64, std::uint64_t>
                            : lanewise<InWide<Op, From, std::uint64_t>, To, std::uint64_t>;
  return wide_destination ? lanewise<InWide<Op, From, From>, Register64, From> : lanewise<Op, To, From>;
}

/// What is cut has no sign, and a sign of what fills its slot makes no difference: the same handler for both.
template <typename To, typename From>
Handler integers(const Operation& operation) {
  if (operation.has(Modifier::Sat)) return resize<To, From, true>(operation);
  using Source = std::conditional_t<sizeof(From) >= sizeof(To), std::make_unsigned_t<From>, From>;
  if (operation.wide_destination || sizeof(To) < 4) return resize<To, Source, false>(operation);
  return resize<std::make_unsigned_t<To>, Source, false>(operation);
}

template <typename Op>
struct Directed : Op {
  static constexpr bool kCostly = true;
};

template <typename Op, typename To, typename From>
Handler in_host_rounding(const Operation& operation) {
  const bool nearest = operation.has(Modifier::Rni) || operation.has(Modifier::Rn);
  return nearest ? lanewise<Op, To, From> : lanewise_rounded<Directed<Op>, To, From>;
}

template <typename To, typename From, bool Ftz>
Handler float_to_integer_of(const Operation& operation) {
  using Stored = typename From::Stored;
  if (operation.has(Modifier::Rzi) || operation.has(Modifier::Rz))
    return lanewise<ToInteger<To, From, true, Ftz>, To, Stored>;
  return in_host_rounding<ToInteger<To, From, false, Ftz>, To, Stored>(operation);
}

template <typename From>
Handler float_to_integer(const Operation& operation) {
  if (operation.wide_destination != (ptx::bits_of(operation.type()) == 64)) return nullptr;
  return for_integer(operation.type(), [&](auto t) -> Handler {
    using To = decltype(t);
    if constexpr (sizeof(typename From::Stored) == 4)
      if (operation.has(Modifier::Ftz)) return float_to_integer_of<To, From, true>(operation);
    return float_to_integer_of<To, From, false>(operation);
  });
}

template <typename To, typename From>
Handler floats(const Operation& operation) {
  return with_sat(operation, [&](auto sat) -> Handler {
    using Stored = typename From::Stored;
    if constexpr (std::is_same_v<To, Stored>)
      if (rounds_to_integer(operation))
        return operation.has(Modifier::Ftz)
                   ? in_host_rounding<Ruled<RoundToInteger, true, sat()>, To, Stored>(operation)
                   : in_host_rounding<Ruled<RoundToInteger, false, sat()>, To, Stored>(operation);
    const auto with = [&]<bool Ftz>() -> Handler {
      using Op = Float<To, From, Ftz, sat()>;
      if constexpr (sizeof(Stored) == 2)
        return lanewise<Op, To, Stored>;  // exact
      else
        return maybe_directed<Op, To, Stored>(operation);
    };
    return operation.has(Modifier::Ftz) ? with.template operator()<true>() : with.template operator()<false>();
  });
}

/// Of .f32, to nearest or to zero, without .ftz and .sat.
template <typename Format>
Handler to_clamped(const Operation& operation) {
  const bool others = operation.has(Modifier::Rm) || operation.has(Modifier::Rp) || operation.has(Modifier::Ftz) ||
                      operation.has(Modifier::Sat);
  if (others) return nullptr;
  return with_clamps(operation, [&](auto relu, auto finite) -> Handler {
    if (operation.has(Modifier::Rz))
      return lanewise<FloatToClamped<Format, Rounding::Zero, relu(), finite()>, std::uint16_t, float>;
    return lanewise<FloatToClamped<Format, Rounding::Nearest, relu(), finite()>, std::uint16_t, float>;
  });
}

template <typename Format, typename From>
Handler to_small(const Operation& operation) {
  if (operation.has(Modifier::Relu) || operation.has(Modifier::Satfinite)) return to_clamped<Format>(operation);
  return with_sat(operation, [&](auto sat) {
    return with_rounding(operation, [&](auto mode) -> Handler {
      using Stored = typename From::Stored;
      if constexpr (sizeof(Stored) == 4)
        if (operation.has(Modifier::Ftz))
          return lanewise<FloatToSmall<Format, mode(), true, sat(), From>, std::uint16_t, Stored>;
      return lanewise<FloatToSmall<Format, mode(), false, sat(), From>, std::uint16_t, Stored>;
    });
  });
}

template <typename Format>
Handler small_to_integral(const Operation& operation) {
  return with_sat(operation, [&](auto sat) -> Handler {
    return in_host_rounding<SmallToIntegral<Format, sat()>, std::uint16_t, std::uint16_t>(operation);
  });
}

template <typename From>
Handler from_integer(const Operation& operation) {
  const ScalarType to = operation.type();
  return with_sat(operation, [&](auto sat) -> Handler {
    if (to == ScalarType::F32) return maybe_directed<FromInteger<float, sat()>, float, From>(operation);
    if (to == ScalarType::F64) return maybe_directed<FromInteger<double, sat()>, double, From>(operation);
    return with_rounding(operation, [&](auto mode) -> Handler {
      if (to == ScalarType::F16) return lanewise<IntegerToSmall<Half, mode(), sat()>, std::uint16_t, From>;
      if (to == ScalarType::Bf16) return lanewise<IntegerToSmall<BFloat, mode(), sat()>, std::uint16_t, From>;
      return nullptr;
    });
  });
}

template <typename From>
Handler from_float(const Operation& operation) {
  switch (operation.type()) {
    case ScalarType::F32:
      return floats<float, From>(operation);
    case ScalarType::F64:
      return floats<double, From>(operation);
    case ScalarType::F16:
      return to_small<Half, From>(operation);
    case ScalarType::Bf16:
      return to_small<BFloat, From>(operation);
    default:
      return float_to_integer<From>(operation);
  }
}

/// bf16 is the upper half of f32.
struct UpperHalf {
  static std::uint32_t apply(std::uint16_t bits) { return std::uint32_t{bits} << 16; }
};

Handler select_integer_source(const Operation& operation, ScalarType from) {
  const ScalarType to = operation.type();
  return for_integer(from, [&](auto f) -> Handler {
    using From = decltype(f);
    if (const Handler handler = for_integer(to, [&](auto t) { return integers<decltype(t), From>(operation); }))
      return handler;
    return operation.wide_source == (sizeof(From) == 8) ? from_integer<From>(operation) : nullptr;
  });
}

}  // namespace

Handler select_convert(const Operation& operation) {
  const auto& types = operation.instruction.types;
  if (types.size() != 2) return nullptr;
  if (types[0] == ScalarType::Tf32) return to_tf32(operation);
  // Only integers may stand in wider registers.
  if (ptx::is_float(types[1]) && operation.wide_source != (ptx::bits_of(types[1]) == 64)) return nullptr;
  if (ptx::is_float(types[0]) && operation.wide_destination != (ptx::bits_of(types[0]) == 64)) return nullptr;
  const bool moves = operation.instruction.modifiers.empty();  // bits, those of a NaN as well
  switch (types[1]) {
    case ScalarType::F16:
      if (rounds_to_integer(operation) && types[0] == types[1]) return small_to_integral<Half>(operation);
      return from_float<Small<Half>>(operation);
    case ScalarType::Bf16:
      if (rounds_to_integer(operation) && types[0] == types[1]) return small_to_integral<BFloat>(operation);
      if (types[0] == ScalarType::F32 && !operation.has(Modifier::Ftz))  // whatever the rounding
        return lanewise<UpperHalf, std::uint32_t, std::uint16_t>;
      return from_float<Small<BFloat>>(operation);
    case ScalarType::F32:
      if (moves && types[0] == types[1]) return lanewise<Same, std::uint32_t, std::uint32_t>;
      return from_float<F32>(operation);
    case ScalarType::F64:
      if (moves && types[0] == types[1]) return lanewise<Same, std::uint64_t, std::uint64_t>;
      return from_float<F64>(operation);
    default:
      return select_integer_source(operation, types[1]);
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
