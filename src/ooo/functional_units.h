// The functional units of a CPU core: which µop they take, for how long (SIMT-X Table I and section 3.9).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ooo/core_spec.h"
#include "ooo/paths/lane_mask.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

enum class Unit : std::uint8_t { Integer, Multiply, Vector, Memory, Branch, None };
inline constexpr unsigned kUnits = 5;

/// Units take a µop of a whole warp at once, with the exceptions of section 3.9: those of 128 bits in two cycles if
/// both even and odd lanes take part (lane i's other half is executed by its neighbour), those of 256 bits one lane
/// after the other, of which inactive ones are skipped. `wide_vectors`: the core runs single threads (SMT), so that a
/// unit takes any vector at once.
class FunctionalUnits {
 public:
  FunctionalUnits(const PipelineSpec& pipeline, const LatencySpec& latencies, bool wide_vectors);

  static Unit unit_of(x86::UopKind kind);
  /// Whether one can take a µop in this cycle.
  bool free(Unit unit, Cycle now) const { return first_free_[static_cast<unsigned>(unit)] <= now; }
  /// A free one takes a µop, and no other for so many cycles.
  void occupy(Unit unit, Cycle now, unsigned cycles);
  struct Timing {
    unsigned busy;     ///< cycles for which the µop keeps its unit; of memory µops, if the cache does not need longer
    unsigned latency;  ///< cycles from issue until what depends on it may issue; of loads without the memory's
  };
  Timing timing(x86::UopKind kind, x86::UopWidth width, LaneMask lanes) const;
  /// The earliest cycle after `now` in which some unit that is busy now becomes free; kNever if none is.
  Cycle next_free(Cycle now) const;

 private:
  bool wide_vectors_;
  std::array<unsigned, x86::kUopKinds> latencies_;  // by kind
  std::array<std::vector<Cycle>, kUnits> free_at_;  // by unit: when each of them is free, the first one first
  std::array<Cycle, kUnits + 1> first_free_{};      // by unit: when one of them is free; there is always a Unit::None
};

inline Unit FunctionalUnits::unit_of(x86::UopKind kind) {
  using x86::UopKind;
  switch (kind) {
    case UopKind::Nop:
      return Unit::None;
    case UopKind::IntegerAlu:
    case UopKind::Serialize:
      return Unit::Integer;
    case UopKind::IntegerMultiply:
    case UopKind::IntegerDivide:
      return Unit::Multiply;
    case UopKind::Branch:
      return Unit::Branch;
    case UopKind::Load:
    case UopKind::Store:
      return Unit::Memory;
    case UopKind::VectorAlu:
    case UopKind::FloatAdd:
    case UopKind::FloatMultiply:
    case UopKind::FloatDivide:
      return Unit::Vector;
  }
  return Unit::None;
}

inline void FunctionalUnits::occupy(Unit unit, Cycle now, unsigned cycles) {
  if (unit == Unit::None) return;
  std::vector<Cycle>& units = free_at_[static_cast<unsigned>(unit)];
  auto place = units.begin();
  for (; place + 1 != units.end() && place[1] < now + cycles; ++place) *place = place[1];
  *place = now + cycles;
  first_free_[static_cast<unsigned>(unit)] = units.front();
}

inline FunctionalUnits::Timing FunctionalUnits::timing(x86::UopKind kind, x86::UopWidth width, LaneMask lanes) const {
  constexpr LaneMask kEven = 0x5555555555555555;
  unsigned slots = 1;
  const Unit unit = unit_of(kind);
  if (!wide_vectors_ && (unit == Unit::Vector || unit == Unit::Memory)) {
    if (width == x86::UopWidth::Sse) slots = (lanes & kEven) != 0 && (lanes & ~kEven) != 0 ? 2 : 1;
    if (width == x86::UopWidth::Avx) slots = std::max(1u, lane_count(lanes));
  }
  const unsigned latency = latencies_[static_cast<unsigned>(kind)];
  const bool pipelined = kind != x86::UopKind::IntegerDivide && kind != x86::UopKind::FloatDivide;
  if (!pipelined) return {slots * latency, slots * latency};
  return {slots, latency + slots - 1};
}

}  // namespace warpfork::ooo
