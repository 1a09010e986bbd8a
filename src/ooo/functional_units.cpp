#include "ooo/functional_units.h"

#include <algorithm>

namespace warpfork::ooo {

using x86::UopKind;

namespace {

unsigned latency(const LatencySpec& latencies, UopKind kind) {
  switch (kind) {
    case UopKind::IntegerMultiply:
      return latencies.multiply;
    case UopKind::IntegerDivide:
      return latencies.divide;
    case UopKind::Branch:
      return latencies.branch;
    case UopKind::Store:
      return latencies.store;
    case UopKind::VectorAlu:
      return latencies.vector;
    case UopKind::FloatAdd:
      return latencies.float_add;
    case UopKind::FloatMultiply:
      return latencies.float_multiply;
    case UopKind::FloatDivide:
      return latencies.float_divide;
    case UopKind::Nop:
    case UopKind::Load:
    case UopKind::IntegerAlu:
    case UopKind::Serialize:
      break;
  }
  return latencies.integer;
}

}  // namespace

FunctionalUnits::FunctionalUnits(const PipelineSpec& pipeline, const LatencySpec& latencies, bool wide_vectors)
    : wide_vectors_(wide_vectors) {
  for (unsigned kind = 0; kind < x86::kUopKinds; ++kind)
    latencies_[kind] = latency(latencies, static_cast<UopKind>(kind));
  const auto provide = [&](Unit unit, unsigned count) { free_at_[static_cast<unsigned>(unit)].assign(count, 0); };
  provide(Unit::Integer, pipeline.integer_units);
  provide(Unit::Multiply, pipeline.multiply_units);
  provide(Unit::Vector, pipeline.vector_units);
  provide(Unit::Memory, pipeline.memory_ports);
  provide(Unit::Branch, pipeline.branch_units);
}

Cycle FunctionalUnits::next_free(Cycle now) const {
  Cycle next = kNever;
  for (const std::vector<Cycle>& units : free_at_)
    for (const Cycle at : units)
      if (at > now) next = std::min(next, at);
  return next;
}

}  // namespace warpfork::ooo
