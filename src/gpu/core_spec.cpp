#include "gpu/core_spec.h"

#include <bit>

#include "base/error.h"
#include "base/range_check.h"

namespace warpfork::gpu {

void validate(const CoreSpec& spec) {
  CoreSpec(spec).visit(RangeCheck("core."));
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
}

bool tells_lanes_apart(const CoreSpec& spec, bool mechanism_does) {
  const std::string& choice = spec.scoreboard_masks;
  if (choice == "mechanism") return mechanism_does;
  if (choice != "always" && choice != "never")
    throw Error("core.scoreboard_masks: there is no choice '{}'; known: mechanism, always, never", choice);
  return choice == "always";
}

}  // namespace warpfork::gpu
