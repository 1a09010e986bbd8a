#include "gpu/core_spec.h"

#include <utility>

#include "base/active_mask.h"
#include "base/error.h"

namespace warpfork::gpu {

namespace {

/// What would let instructions wait for ever if there were none of it.
void validate_resources(const CoreSpec& spec) {
  const CollectorSpec& collector = spec.collector;
  const ExecutionSpec& execution = spec.execution;
  const std::pair<const char*, unsigned> needed[] = {
      {"two_level_active", spec.two_level_active},
      {"instruction_buffer", spec.instruction_buffer},
      {"response_queue", spec.response_queue},
      {"shared.latency", spec.shared.latency},
      {"l1d.hit_latency", spec.l1d.hit_latency},
      {"collector.sp_units", collector.sp_units},
      {"collector.sfu_units", collector.sfu_units},
      {"collector.memory_units", collector.memory_units},
      {"collector.sp_ports", collector.sp_ports},
      {"collector.sfu_ports", collector.sfu_ports},
      {"collector.memory_ports", collector.memory_ports},
      {"execution.sp_units", execution.sp_units},
      {"execution.sfu_units", execution.sfu_units},
      {"execution.result_buses", execution.result_buses},
      {"execution.sp_issue_slots", execution.sp_issue_slots},
      {"execution.sfu_issue_slots", execution.sfu_issue_slots},
      {"execution.memory_issue_slots", execution.memory_issue_slots},
  };
  for (const auto& [name, value] : needed)
    if (value == 0) throw Error("core.{} is 0; it must be at least 1", name);
}

}  // namespace

void validate(const CoreSpec& spec) {
  if (spec.warp_size == 0 || spec.warp_size > kMaxWarpSize)
    throw Error("core.warp_size is {}; 1 to {} are supported", spec.warp_size, kMaxWarpSize);
  if (spec.warps == 0 || spec.warps > WarpSlots::kCapacity)
    throw Error("core.warps is {}; 1 to {} are supported", spec.warps, WarpSlots::kCapacity);
  if (spec.blocks == 0 || spec.blocks > 64) throw Error("core.blocks is {}; 1 to 64 are supported", spec.blocks);
  if (spec.schedulers == 0 || spec.schedulers > spec.warps)
    throw Error("core.schedulers is {}; 1 to core.warps = {} are supported", spec.schedulers, spec.warps);
  if (spec.registers_per_thread_limit != 0 && spec.registers_per_thread > spec.registers_per_thread_limit)
    throw Error("core.registers_per_thread is {}; core.registers_per_thread_limit allows {}", spec.registers_per_thread,
                spec.registers_per_thread_limit);
  if (spec.shared.banks == 0 || spec.shared.banks > 64)
    throw Error("core.shared.banks is {}; 1 to 64 are supported", spec.shared.banks);
  if (spec.instruction_bytes == 0 || spec.fetch_bytes < spec.instruction_bytes)
    throw Error("core.instruction_bytes is {} and core.fetch_bytes {}; a fetch must hold an instruction",
                spec.instruction_bytes, spec.fetch_bytes);
  validate_resources(spec);
}

bool tells_lanes_apart(const CoreSpec& spec, bool mechanism_does) {
  const std::string& choice = spec.scoreboard_masks;
  if (choice == "mechanism") return mechanism_does;
  if (choice != "always" && choice != "never")
    throw Error("core.scoreboard_masks: there is no choice '{}'; known: mechanism, always, never", choice);
  return choice == "always";
}

}  // namespace warpfork::gpu
