// PTX ISA, "atom" and "red": read, modify and write, one lane after another in lane order.
//
// Operands: [0] an AddressForm, [1] the old value's row, [2] b, [3] c of cas.
#include "lower/mbarrier_word.h"
#include "simt/lanes/address.h"
#include "simt/lanes/extremes.h"
#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

struct Add {
  template <typename T>
  static T apply(T old, T b, T) {
    if constexpr (std::is_same_v<T, double>)
      return old + b != old + b ? nan_of(old, b) : old + b;
    else if constexpr (std::is_same_v<T, float>)
      return canonical(old + b);
    else
      return static_cast<T>(Wrapping<T>(old) + Wrapping<T>(b));
  }
};
struct AddFlushed {
  static float apply(float old, float b, float) { return canonical(flush(flush(old) + flush(b))); }
};
template <typename Format>
struct SmallSum {
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b) {
    return Format::from_double(add_to_odd(Format::to_double(a), Format::to_double(b)), Rounding::Nearest);
  }
};
/// Op of 16-bit floats, or of pairs of them.
template <typename Op>
struct OfSmall {
  static std::uint16_t apply(std::uint16_t old, std::uint16_t b, std::uint16_t) { return Op::apply(old, b); }
  static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
    return Packed<Op, true>::apply(old, b);
  }
};
struct Min {
  template <typename T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <typename T>
  static T apply(T old, T b, T) {
    return b > old ? b : old;
  }
};
struct And {
  template <typename T>
  static T apply(T old, T b, T) {
    return old & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T old, T b, T) {
    return old | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T old, T b, T) {
    return old ^ b;
  }
};
struct Exchange {
  template <typename T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <typename T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct Increment {
  template <typename T>
  static T apply(T old, T b, T) {
    return old >= b ? T{0} : old + 1;
  }
};
struct Decrement {
  template <typename T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : old - 1;
  }
};
/// Of the passes in room lower, no word of PTX.
struct ChangeMbarrier {
  static std::uint64_t apply(std::uint64_t old, std::uint64_t b, std::uint64_t) {
    return lower::MbarrierWord::changed(old, b);
  }
};

/// atom.add.f32 flushes subnormals on global memory, and only there (PTX ISA, "atom"). A generic address may lie in
/// either.
template <typename Space, typename Op>
using InSpace = std::conditional_t<std::is_same_v<Op, AddFlushed> && !std::is_same_v<Space, GlobalSpace>, Add, Op>;

template <typename Space, typename Op, typename T>
void update_lanes(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const registers = warp.registers;
  const Row<T> b(registers + instruction.operand[2]), c(registers + instruction.operand[3]);
  lanes.for_each([&](unsigned lane) {
    std::byte* const at = resolve<Space>(instruction, warp, lane);
    T old;
    std::memcpy(&old, at, sizeof old);
    const T updated = InSpace<Space, Op>::apply(old, b[lane], c[lane]);
    warp.access.has_changed |= std::memcmp(&old, &updated, sizeof old) != 0;
    std::memcpy(at, &updated, sizeof updated);
    set_lane<T>(registers + instruction.operand[1], lane, old);
  });
}

template <typename Op, typename T>
void update(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  compute_addresses(instruction, warp, lanes);
  warp.access.is_write = warp.access.is_atomic = true;
  warp.access.has_changed = false;
  if (lanes.none()) return;
  if (instruction.space == MemorySpace::Global) return update_lanes<GlobalSpace, Op, T>(instruction, warp, lanes);
  if (instruction.space == MemorySpace::Shared) return update_lanes<SharedSpace, Op, T>(instruction, warp, lanes);
  for_generic_spaces(warp, lanes, [&](auto space, RowLanes touched) {
    using Space = decltype(space);
    if constexpr (std::is_same_v<Space, ParamSpace>)
      fail_out_of_bounds(instruction, warp, touched.lowest(), warp.access.address[touched.lowest()]);
    else
      update_lanes<Space, Op, T>(instruction, warp, touched);
  });
}

template <typename Op>
Handler for_words(ScalarType type) {
  if (ptx::bits_of(type) == 32) return update<Op, std::uint32_t>;
  return ptx::bits_of(type) == 64 ? update<Op, std::uint64_t> : nullptr;
}

/// Signed and unsigned 32- and 64-bit integers.
template <typename Op>
Handler for_ordered(ScalarType type) {
  return for_integer(type, [](auto t) -> Handler {
    if constexpr (sizeof t >= 4)
      return update<Op, decltype(t)>;
    else
      return nullptr;
  });
}

/// Of 16-bit floats and pairs of them.
template <typename OfHalf, typename OfBFloat>
Handler for_small(ScalarType type) {
  switch (type) {
    case ScalarType::F16:
      return update<OfSmall<OfHalf>, std::uint16_t>;
    case ScalarType::F16x2:
      return update<OfSmall<OfHalf>, std::uint32_t>;
    case ScalarType::Bf16:
      return update<OfSmall<OfBFloat>, std::uint16_t>;
    case ScalarType::Bf16x2:
      return update<OfSmall<OfBFloat>, std::uint32_t>;
    default:
      return nullptr;
  }
}

Handler select_add(ScalarType type) {
  if (type == ScalarType::F64) return update<Add, double>;
  if (type == ScalarType::F32) return update<AddFlushed, float>;
  return ptx::is_float(type) ? for_small<SmallSum<Half>, SmallSum<BFloat>>(type) : for_words<Add>(type);
}

template <bool IsMin>
Handler select_extreme(ScalarType type) {
  if (!ptx::is_float(type)) return for_ordered<std::conditional_t<IsMin, Min, Max>>(type);
  return for_small<SmallExtreme<Half, IsMin, false, false, false>, SmallExtreme<BFloat, IsMin, false, false, false>>(
      type);
}

Handler select_cas(ScalarType type) {
  if (ptx::bits_of(type) == 16) return update<CompareAndSwap, std::uint16_t>;
  return for_words<CompareAndSwap>(type);
}

}  // namespace

Handler select_atomic(const Operation& operation) {
  if (operation.space != MemorySpace::Global && operation.space != MemorySpace::Shared &&
      operation.space != MemorySpace::Generic)
    return nullptr;
  if (operation.instruction.vector_width != 1) return nullptr;
  const ScalarType type = operation.type();
  if (operation.has(Modifier::Mbarrier)) return update<ChangeMbarrier, std::uint64_t>;
  if (operation.has(Modifier::Add)) return select_add(type);
  if (operation.has(Modifier::Min)) return select_extreme<true>(type);
  if (operation.has(Modifier::Max)) return select_extreme<false>(type);
  if (operation.has(Modifier::And)) return for_words<And>(type);
  if (operation.has(Modifier::Or)) return for_words<Or>(type);
  if (operation.has(Modifier::Xor)) return for_words<Xor>(type);
  if (operation.has(Modifier::Exch)) return for_words<Exchange>(type);
  if (operation.has(Modifier::Cas)) return select_cas(type);
  if (operation.has(Modifier::Inc)) return type == ScalarType::U32 ? update<Increment, std::uint32_t> : nullptr;
  if (operation.has(Modifier::Dec)) return type == ScalarType::U32 ? update<Decrement, std::uint32_t> : nullptr;
  return nullptr;
}

}  // namespace warpfork::simt::WARPFORK_LANES
