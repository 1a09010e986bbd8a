#include "ooo/functional_units.h"

#include <algorithm>

namespace warpfork::ooo {

using x86::UopKind;
using x86::UopWidth;

FunctionalUnits::FunctionalUnits(const PipelineSpec& pipeline, const LatencySpec& latencies, bool wide_vectors)
    : latencies_(latencies), wide_vectors_(wide_vectors) {
  const auto provide = [&](Unit unit, unsigned count) { free_at_[static_cast<unsigned>(unit)].assign(count, 0); };
  provide(Unit::Integer, pipeline.integer_units);
  provide(Unit::Multiply, pipeline.multiply_units);
  provide(Unit::Vector, pipeline.vector_units);
  provide(Unit::Memory, pipeline.memory_ports);
  provide(Unit::Branch, pipeline.branch_units);
}

void FunctionalUnits::occupy(Unit unit, Cycle now, unsigned cycles) {
  if (unit == Unit::None) return;
  std::vector<Cycle>& units = free_at_[static_cast<unsigned>(unit)];
  *std::ranges::find_if(units, [&](Cycle at) { return at <= now; }) = now + cycles;
}

FunctionalUnits::Timing FunctionalUnits::timing(UopKind kind, UopWidth width, LaneMask lanes) const {
  constexpr LaneMask kEven = 0x5555555555555555;
  unsigned slots = 1;
  const Unit unit = unit_of(kind);
  if (!wide_vectors_ && (unit == Unit::Vector || unit == Unit::Memory)) {
    if (width == UopWidth::Sse) slots = (lanes & kEven) != 0 && (lanes & ~kEven) != 0 ? 2 : 1;
    if (width == UopWidth::Avx) slots = std::max(1u, lane_count(lanes));
  }
  const bool pipelined = kind != UopKind::IntegerDivide && kind != UopKind::FloatDivide;
  if (!pipelined) return {slots * latency(kind), slots * latency(kind)};
  return {slots, latency(kind) + slots - 1};
}

unsigned FunctionalUnits::latency(UopKind kind) const {
  switch (kind) {
    case UopKind::IntegerMultiply:
      return latencies_.multiply;
    case UopKind::IntegerDivide:
      return latencies_.divide;
    case UopKind::Branch:
      return latencies_.branch;
    case UopKind::Store:
      return latencies_.store;
    case UopKind::VectorAlu:
      return latencies_.vector;
    case UopKind::FloatAdd:
      return latencies_.float_add;
    case UopKind::FloatMultiply:
      return latencies_.float_multiply;
    case UopKind::FloatDivide:
      return latencies_.float_divide;
    case UopKind::Nop:
    case UopKind::Load:
    case UopKind::IntegerAlu:
    case UopKind::Serialize:
      break;
  }
  return latencies_.integer;
}

Cycle FunctionalUnits::next_free(Cycle now) const {
  Cycle next = kNever;
  for (const std::vector<Cycle>& units : free_at_)
    for (const Cycle at : units)
      if (at > now) next = std::min(next, at);
  return next;
}

}  // namespace warpfork::ooo
