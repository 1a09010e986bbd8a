#include "ooo/machine_spec.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/error.h"
#include "base/range_check.h"
#include "base/text.h"
#include "ooo/buffer_sharing.h"
#include "ooo/disambiguation.h"
#include "ooo/issue_order.h"
#include "ooo/rename/physical_register.h"
#include "ooo/rename/registry.h"
#include "ooo/rename/renamed_uop.h"
#include "ooo/width_unit.h"

namespace warpfork::ooo {

namespace {

void require_at_least(unsigned least, unsigned value, std::string_view key, std::string_view why) {
  if (value < least) throw Error("error: {} is {}\n  it must be at least {}{}", key, value, least, why);
}

/// Of one thread a warp, as smt has them, users know threads.
std::string warps_of(const MachineSpec& machine) {
  return counted(machine.warps, machine.threads == 1 ? "thread" : "warp");
}

/// As FreeList says, or nobody may be able to go on. `added`: of the registers, those that no key has given.
void check_registers(const MachineSpec& machine, unsigned registers, unsigned added, std::string_view key,
                     RegisterClass file) {
  const unsigned temporaries = file == RegisterClass::Vector ? x86::kRegisterCount - x86::kTemporary : 0;
  unsigned of_a_warp = architectural_registers(file), to_rename_with = 2;
  const bool parts = may_part(machine);
  if (parts && machine.rename == "rat") {
    to_rename_with = 2 * RenamedUop::kMaxDestinations;  // each write takes another for its merge
  } else if (parts) {
    of_a_warp = 2 * of_a_warp - temporaries;
    to_rename_with = 8;
  }
  const unsigned least = machine.warps * of_a_warp + to_rename_with;
  require_at_least(least - std::min(least, added), registers - added, key,
                   fmt::format(": {} for each of {}, and {} to rename with{}", of_a_warp, warps_of(machine),
                               to_rename_with, added == 0 ? "" : fmt::format(", less {} that the core adds", added)));
}

}  // namespace

bool is_partitioned(const MachineSpec& machine) {
  return chosen(kBufferSharings, machine.reorder_buffer_sharing, "sharing of the reorder buffer") ==
         BufferSharing::Partitioned;
}

bool may_part(const MachineSpec& machine) { return machine.threads > 1 || machine.divergence_prediction; }

void check_ranges(MachineSpec machine) { machine.visit(RangeCheck("")); }

void check_machine(const MachineSpec& machine, bool renames) {
  find_rename_strategy(machine.rename);
  chosen(kDisambiguations, machine.disambiguation, "disambiguation");
  chosen(kIssueOrders, machine.issue_order, "issue order");
  chosen(kWidthUnits, machine.widths, "unit of widths");
  // A branch's µops stay in the queues until all of them have executed: call [rax] is a load, a store and two more.
  const bool partitioned = is_partitioned(machine);
  const unsigned parts = renames && partitioned ? machine.warps : 1;
  require_at_least(
      kLongestBranch * parts, machine.pipeline.reorder_buffer, "pipeline.reorder_buffer",
      parts == 1 ? ", or a branch may not fit"
                 : fmt::format(", {} for each of {}, or a branch may not fit", kLongestBranch, warps_of(machine)));
  if (renames) {
    const PipelineSpec& pipeline = machine.pipeline;
    // The branch accesses memory twice, and every warp may have begun one.
    require_at_least(machine.warps + 1, pipeline.load_store_queue, "pipeline.load_store_queue",
                     fmt::format(": one for each of {}, and one more, or a branch may not fit", warps_of(machine)));
    check_registers(machine, pipeline.integer_registers, pipeline.added_integer_registers, "pipeline.integer_registers",
                    RegisterClass::Integer);
    check_registers(machine, pipeline.vector_registers, pipeline.added_vector_registers, "pipeline.vector_registers",
                    RegisterClass::Vector);
  }
  const unsigned line = machine.memory.line_bytes;
  if (!std::has_single_bit(line)) throw Error("error: memory.line_bytes is {}\n  it must be a power of two", line);
}

}  // namespace warpfork::ooo
