#include "gpu/core_spec.h"

#include <bit>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/range_check.h"

namespace warpfork::gpu {

namespace {

/// All caches and all classes of instructions are described alike; this says of one of them what is true of it already.
template <class Value>
void require_fixed(std::string_view key, const Value& value, const Value& only) {
  if (value != only) throw Error("core.{} is {}; nothing goes by it, so that it can only be {}", key, value, only);
}

void require_fixed(const CoreSpec& spec) {
  for (const auto& [name, cache] :
       {std::pair("l1i", &spec.l1i), std::pair("constant", &spec.constant), std::pair("texture", &spec.texture)}) {
    require_fixed(fmt::format("{}.hit_latency", name), cache->hit_latency, 1u);
    require_fixed(fmt::format("{}.allocate_local_stores", name), cache->allocate_local_stores, false);
  }
  const UnitTimingSpec& memory = spec.execution.Memory;  // the load/store unit and temporal lanes time it themselves
  require_fixed("execution.memory.unit", memory.unit, UnitTimingSpec().unit);
  require_fixed("execution.memory.latency", memory.latency, 1u);
  require_fixed("execution.memory.interval", memory.interval, 1u);
}

void require_interval(std::string_view name, const MatrixTimingSpec& products) {
  if (products.interval == 0 && (products.latency != 0 || products.unit != MatrixTimingSpec().unit))
    throw Error(
        "core.execution.{}: unit is {} and latency {}, but interval is 0, so that its multiply-adds' count; set "
        "core.execution.{}.interval, too",
        name, products.unit, products.latency, name);
}

void require_intervals(const ExecutionSpec& execution) {
#define TIMING_CLASS(name, text)
#define MATRIX_CLASS(name, text, multiply_add, count, steps) require_interval(text, execution.name);
#include "simt/timing_classes.def"
#undef TIMING_CLASS
}

}  // namespace

void validate(const CoreSpec& spec) {
  CoreSpec(spec).visit(RangeCheck("core."));
  require_fixed(spec);
  require_intervals(spec.execution);
  if (spec.schedulers > spec.warps)
    throw Error("core.schedulers is {}; 1 to core.warps = {} are supported", spec.schedulers, spec.warps);
  if (spec.registers_per_thread_limit != 0 && spec.registers_per_thread > spec.registers_per_thread_limit)
    throw Error("core.registers_per_thread is {}; core.registers_per_thread_limit allows {}", spec.registers_per_thread,
                spec.registers_per_thread_limit);
  if (!std::has_single_bit(spec.instruction_bytes) || spec.instruction_bytes > spec.l1i.line_bytes)
    throw Error(
        "core.instruction_bytes is {}; it must be a power of two, at most core.l1i.line_bytes = {}, as no "
        "instruction lies in two lines",
        spec.instruction_bytes, spec.l1i.line_bytes);
  if (spec.fetch_bytes < spec.instruction_bytes)
    throw Error("core.instruction_bytes is {} and core.fetch_bytes {}; a fetch must hold an instruction",
                spec.instruction_bytes, spec.fetch_bytes);
  if (spec.fetch_bytes > spec.l1i.line_bytes)
    throw Error("core.fetch_bytes is {} and core.l1i.line_bytes {}; a fetch reads no more than a line",
                spec.fetch_bytes, spec.l1i.line_bytes);
}

bool tells_lanes_apart(const CoreSpec& spec, bool mechanism_does) {
  const std::string& choice = spec.scoreboard_masks;
  if (choice == "mechanism") return mechanism_does;
  if (choice != "always" && choice != "never")
    throw Error("core.scoreboard_masks: there is no choice '{}'; known: mechanism, always, never", choice);
  return choice == "always";
}

}  // namespace warpfork::gpu
