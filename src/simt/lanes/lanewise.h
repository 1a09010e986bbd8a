// The 32 lanes of a SIMT unit as one loop over lanes that lie side by side, which the host compiler makes vector code
// of.
//
// Every file of this folder is compiled for the x86-64 baseline, for AVX2 with FMA and BMI, and for AVX-512, each time
// into a namespace of its own (WARPFORK_LANES), and the decoder takes the best that the host can run. Results are the
// same in all.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "simt/launch.h"
#include "simt/program.h"
#include "simt/row_lanes.h"

#ifndef WARPFORK_LANES
#define WARPFORK_LANES lanes_baseline
#endif

// A destination row is either the same row as a source or apart from it, so lanes never depend on one another.
#if defined(__GNUC__) && !defined(__clang__)
#define WARPFORK_EACH_LANE _Pragma("GCC ivdep")
#else
#define WARPFORK_EACH_LANE
#endif

namespace warpfork::simt::WARPFORK_LANES {

/// How a value lies in a register row: 32-bit lanes for everything up to 32 bits, else 64-bit lanes.
template <typename T>
using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Unsigned arithmetic without the surprises of integer promotion.
template <typename T>
using Wrapping = Slot<T>;

template <typename T>
inline T from_slot(Slot<T> slot) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(slot);
  else
    return static_cast<T>(slot);
}

/// Narrow signed values are sign-extended to the slot, narrow unsigned ones zero-extended.
template <typename T>
inline Slot<T> to_slot(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<Slot<T>>(value);
  else
    return static_cast<Slot<T>>(value);
}

/// A source operand: lane i of a row.
template <typename T>
class Row {
 public:
  explicit Row(const std::byte* at) : at_(at) {}
  T operator[](unsigned lane) const {
    Slot<T> slot;
    std::memcpy(&slot, at_ + lane * sizeof slot, sizeof slot);
    return from_slot<T>(slot);
  }

 private:
  const std::byte* at_;
};

/// A source operand of which every lane reads the instruction's literal, as a row would hold it.
template <typename T>
class Literal {
 public:
  explicit Literal(std::uint64_t bits) : value_(from_slot<T>(static_cast<Slot<T>>(bits))) {}
  T operator[](unsigned) const { return value_; }

 private:
  T value_;
};

/// The source operand that is in operand `k`, as an In: a row of such values, or a Literal.
template <typename In>
struct Source {
  static Row<In> of(const Instruction& instruction, const WarpContext& warp, std::size_t k) {
    return Row<In>(warp.registers + instruction.operand[k]);
  }
};
template <typename T>
struct Source<Literal<T>> {
  static Literal<T> of(const Instruction& instruction, const WarpContext&, std::size_t) {
    return Literal<T>(instruction.immediate);
  }
};

template <typename T>
inline void set_lane(std::byte* row, unsigned lane, T value) {
  const Slot<T> slot = to_slot<T>(value);
  std::memcpy(row + lane * sizeof slot, &slot, sizeof slot);
}

template <typename SlotType>
struct LaneBits {
  alignas(64) SlotType bit[kRowLanes];
  constexpr LaneBits() : bit{} {
    for (unsigned i = 0; i < kRowLanes; ++i) bit[i] = SlotType{1} << i;
  }
};
template <typename SlotType>
inline constexpr LaneBits<SlotType> kLaneBits;

/// All ones if the lane is in the mask, else zero.
template <typename SlotType>
inline SlotType lane_mask(SlotType mask_bits, unsigned lane) {
  return (mask_bits & kLaneBits<SlotType>.bit[lane]) != 0 ? ~SlotType{0} : SlotType{0};
}

/// So few lanes are dealt with one by one: vector code would work on the others in vain.
inline constexpr unsigned kFewLanes = 4;
inline constexpr unsigned kHalfRow = kRowLanes / 2;

/// visit(first lane) of each half of a row. No loop: one within it would be unrolled before it is made vector code.
template <typename Visit>
inline void for_each_half(Visit visit) {
  visit(0);
  visit(kHalfRow);
}

/// visit(lane) for the lanes of the mask, one by one.
template <typename Visit>
inline void for_each_lane(RowLanes lanes, Visit visit) {
  if (!lanes.full()) return lanes.for_each(visit);
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < kRowLanes; ++lane) visit(lane);
}

/// destination[lane] = compute(lane) for the lanes of the mask, one by one.
template <typename Out, typename Compute>
inline void for_active_lanes(std::byte* destination, RowLanes lanes, Compute compute) {
  lanes.for_each([&](unsigned lane) { set_lane<Out>(destination, lane, compute(lane)); });
}

/// The same for all lanes.
template <typename Out, typename Compute>
inline void for_all_lanes(std::byte* destination, Compute compute) {
  WARPFORK_EACH_LANE
  for (unsigned lane = 0; lane < kRowLanes; ++lane) set_lane<Out>(destination, lane, compute(lane));
}

/// The same for half a row from `first` on, of which the mask's lanes are taken. What is stored is the whole vector,
/// with AVX-512 too: behind a store of some of its lanes the next instruction of the warp would wait to load it.
#if defined(__AVX512F__)
template <typename Out, typename Compute>
inline void for_some_lanes(std::byte* destination, unsigned first, RowLanes lanes, Compute compute) {
  alignas(64) Slot<Out> result[kHalfRow];
  WARPFORK_EACH_LANE
  for (unsigned i = 0; i < kHalfRow; ++i) result[i] = to_slot<Out>(compute(first + i));
  constexpr unsigned kLanes = 64 / sizeof *result;  // of a vector
  const std::uint32_t bits = lanes.bits() >> first;
  for (unsigned i = 0; i < kHalfRow; i += kLanes) {
    std::byte* const at = destination + (first + i) * sizeof *result;
    if constexpr (sizeof *result == 4)
      _mm512_storeu_si512(at, _mm512_mask_mov_epi32(_mm512_loadu_si512(at), static_cast<__mmask16>(bits),
                                                    _mm512_load_si512(result + i)));
    else
      _mm512_storeu_si512(at, _mm512_mask_mov_epi64(_mm512_loadu_si512(at), static_cast<__mmask8>(bits >> i),
                                                    _mm512_load_si512(result + i)));
  }
}
#else
template <typename Out, typename Compute>
inline void for_some_lanes(std::byte* destination, unsigned first, RowLanes lanes, Compute compute) {
  using S = Slot<Out>;
  const S bits = lanes.bits() >> first;
  WARPFORK_EACH_LANE
  for (unsigned i = 0; i < kHalfRow; ++i) {
    std::byte* const at = destination + (first + i) * sizeof(S);
    S old;
    std::memcpy(&old, at, sizeof old);
    const S taken = lane_mask<S>(bits, i);
    const S result = (to_slot<Out>(compute(first + i)) & taken) | (old & ~taken);
    std::memcpy(at, &result, sizeof result);
  }
}
#endif

/// The same for the lanes of the mask. compute must be cheap and free of effects: it is called for other lanes too, and
/// its result dropped. Which halves have any, or all, is not asked: nobody foresees it in a warp that diverges.
template <typename Out, typename Compute>
inline void for_lanes(std::byte* destination, RowLanes lanes, Compute compute) {
  if (lanes.full()) return for_all_lanes<Out>(destination, compute);
  if (lanes.count() <= kFewLanes) return for_active_lanes<Out>(destination, lanes, compute);
  for_each_half([&](unsigned first) { for_some_lanes<Out>(destination, first, lanes, compute); });
}

/// The highest bits of the slots.
#if defined(__AVX512DQ__)
inline std::uint32_t sign_bits(const std::uint32_t* slots) {
  const std::uint32_t low = _mm512_movepi32_mask(_mm512_load_si512(slots));
  return low | static_cast<std::uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(slots + kHalfRow))) << kHalfRow;
}
inline std::uint32_t sign_bits(const std::uint64_t* slots) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kRowLanes; lane += 8)
    bits |= static_cast<std::uint32_t>(_mm512_movepi64_mask(_mm512_load_si512(slots + lane))) << lane;
  return bits;
}
#elif defined(__AVX2__)
inline std::uint32_t sign_bits(const std::uint32_t* slots) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kRowLanes; lane += 8) {
    const __m256 part = _mm256_load_ps(reinterpret_cast<const float*>(slots + lane));
    bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(part)) << lane;
  }
  return bits;
}
inline std::uint32_t sign_bits(const std::uint64_t* slots) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kRowLanes; lane += 4) {
    const __m256d part = _mm256_load_pd(reinterpret_cast<const double*>(slots + lane));
    bits |= static_cast<std::uint32_t>(_mm256_movemask_pd(part)) << lane;
  }
  return bits;
}
#else
template <typename SlotType>
inline std::uint32_t sign_bits(const SlotType* slots) {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    bits |= static_cast<std::uint32_t>(slots[lane] >> (8 * sizeof(SlotType) - 1)) << lane;
  return bits;
}
#endif

/// One bit per lane: compute(lane), for all 32 lanes.
template <typename SlotType, typename Compute>
inline RowLanes collect(Compute compute) {
  alignas(64) SlotType slots[kRowLanes];
  for (unsigned lane = 0; lane < kRowLanes; ++lane) slots[lane] = compute(lane) ? ~SlotType{0} : SlotType{0};
  return RowLanes(sign_bits(slots));
}

/// Writes `value` to predicate `index` in the lanes of the mask.
inline void set_predicate(WarpContext& warp, std::uint32_t index, RowLanes value, RowLanes lanes) {
  std::uint32_t& bits = warp.predicates[index];
  bits = (bits & ~lanes.bits()) | (value.bits() & lanes.bits());
}

template <typename Op>
inline constexpr bool kCostly = requires {
  Op::kCostly;
};

/// operand[0] = Op::apply(operand[1], …), of which the last may be a Literal. An Op with a member kCostly is computed
/// lane by lane.
template <typename Op, typename Out, typename... In, std::size_t... k>
inline void lanewise_operands(const Instruction& instruction, WarpContext& warp, RowLanes lanes,
                              std::index_sequence<k...>) {
  std::byte* const registers = warp.registers;
  const auto compute = [... source = Source<In>::of(instruction, warp, 1 + k)](unsigned lane) {
    return static_cast<Out>(Op::apply(source[lane]...));
  };
  if constexpr (kCostly<Op>)
    for_active_lanes<Out>(registers + instruction.operand[0], lanes, compute);
  else
    for_lanes<Out>(registers + instruction.operand[0], lanes, compute);
}

template <typename Op, typename Out, typename... In>
void lanewise(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  lanewise_operands<Op, Out, In...>(instruction, warp, lanes, std::index_sequence_for<In...>{});
}

}  // namespace warpfork::simt::WARPFORK_LANES
