#include "gpu/line_census.h"

#include <algorithm>
#include <span>

#include "gpu/code_blocks.h"
#include "gpu/held_back.h"
#include "gpu/launch_addresses.h"
#include "gpu/resident_block.h"
#include "gpu/split_buffers.h"
#include "gpu/table_traffic.h"
#include "ptx/printer.h"

namespace warpfork::gpu {

using simt::InstructionKind;

namespace {

constexpr unsigned kFullTransaction = 128;  // bytes

const char* name_of(InstructionKind kind) {
  static constexpr const char* kNames[] = {"arithmetic", "load", "store",   "atomic",
                                           "branch",     "exit", "barrier", "memory_barrier"};
  return kNames[static_cast<unsigned>(kind)];
}

/// Calls visit(element, cycles) for each: all get as many of the cycles, the rest goes round, by `from`, one each.
template <class Visit>
void share(Cycle cycles, Cycle from, std::span<const unsigned> among, Visit&& visit) {
  const Cycle number = among.size();
  for (const unsigned element : among) visit(element, cycles / number + (from++ % number < cycles % number));
}

bool accesses_memory(InstructionKind kind) {
  return kind == InstructionKind::Load || kind == InstructionKind::Store || kind == InstructionKind::Atomic;
}

}  // namespace

LineCensus::LineCensus(const MachineSpec& spec, const simt::Launch& launch)
    : program_(*launch.program),
      warp_size_(launch.warp_size),
      has_temporal_lanes_(find_lane_organisation(spec.core.lanes.organisation).temporal),
      transactions_(spec.core, 0),
      cores_(spec.cores),
      lines_(launch.program->code.size()) {
  transactions_.begin_kernel(launch_addresses(spec, launch).local_bytes);
}

void LineCensus::issued(const report::IssueEvent& event) {
  report::LineCount& line = lines_[event.pc];
  ++line.issues;
  const unsigned active = event.active.count();
  line.thread_instructions += active;
  line.lost_lane_slots += warp_size_ - active;
  if (event.executed.any() && accesses_memory(event.step->instruction->kind)) count_access(event, line);
}

void LineCensus::count_access(const report::IssueEvent& event, report::LineCount& line) {
  const Step& step = *event.step;
  const simt::MemoryAccess& access = event.block->access(step);
  const bool shared = access.space == simt::MemorySpace::Shared;
  if (shared && has_temporal_lanes_) return;
  scratch_.instruction = step.instruction;
  scratch_.warp = static_cast<std::uint8_t>(event.warp);
  scratch_.transactions = 0;
  scratch_.rounds = 1;
  transactions_.generate(scratch_, access, step.homes, event.warp - step.warp);
  if (shared) {
    ++line.shared_requests;
    line.conflict_rounds += scratch_.rounds - 1u;
    return;
  }
  const unsigned bytes = access.lanes.count() * access.bytes;
  const unsigned side_by_side = (bytes + kFullTransaction - 1) / kFullTransaction;
  ++line.requests;
  line.transactions += scratch_.transactions;
  line.excess_transactions += scratch_.transactions - std::min<unsigned>(side_by_side, scratch_.transactions);
}

void LineCensus::stalled(report::Stamp at, report::StallCause cause, Cycle cycles) {
  const report::CoreEvent& core = cores_[at.core];
  const InstructionBuffers& entries = core.buffers->entries();
  held_.clear();
  (held_back(entries, cause) & core.buffers->of_scheduler(at.unit)).for_each([&](unsigned entry) {
    held_.push_back(entry);
  });
  const bool by_memory = cause == report::StallCause::Memory;
  if (by_memory) awaited_.look_at(*core.in_flight);
  share(cycles, at.cycle, held_, [&](unsigned entry, Cycle own) {
    const Pc pc = core.buffers->pc_of(entry);
    if (pc < lines_.size()) lines_[pc].stalls[static_cast<unsigned>(cause)] += own;
    if (by_memory && own != 0)
      share(own, at.cycle, awaited_.of(entries[entry], program_),
            [&](Pc load, Cycle part) { lines_[load].awaited += part; });
  });
}

void LineCensus::missed(report::Stamp, const InFlight& load) {
  if (TableTraffic::is_entry(load)) return;
  ++lines_[static_cast<std::size_t>(load.instruction - program_.code.data())].misses;
}

report::LineCounts LineCensus::counts() const {
  report::LineCounts counts;
  for (Pc pc = 0; pc < lines_.size(); ++pc) {
    report::LineCount line = lines_[pc];
    const bool waited = std::ranges::any_of(line.stalls, [](std::uint64_t cycles) { return cycles != 0; });
    if (line.issues == 0 && !waited) continue;
    const ptx::Instruction& instruction = program_.function->body[pc];
    line.pc = pc;
    line.ptx_line = instruction.location.line;
    line.source = {program_.module->source_name(instruction.location), instruction.location.source_line};
    line.kind = name_of(program_.code[pc].kind);
    line.ptx = ptx::to_text(instruction, *program_.function);
    counts.instructions.push_back(std::move(line));
  }
  counts.blocks = code_blocks(program_);
  return counts;
}

}  // namespace warpfork::gpu
