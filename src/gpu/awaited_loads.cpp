#include "gpu/awaited_loads.h"

#include <algorithm>

#include "gpu/touched_registers.h"

namespace warpfork::gpu {

namespace {

/// Lanes of the split whose registers lie in the warp of this slot.
ActiveMask lanes_in(unsigned home, const InstructionBufferEntry& waiting) {
  const WarpSplit& split = *waiting.split;
  if (!split.compacted()) return home == waiting.warp ? split.lanes : ActiveMask();
  for (const HomeLanes& part : split.homes)
    if (part.warp - split.warp + waiting.warp == home) return part.lanes;
  return {};
}

bool needs(const simt::Instruction& instruction, const InFlight& load) {
  if (load.instruction->kind == simt::InstructionKind::Atomic) return true;
  const auto written = std::span(load.instruction->destinations).first(load.instruction->destination_count);
  bool needs = false;
  for_each_touched(instruction, [&](std::uint16_t reg) { needs |= std::ranges::find(written, reg) != written.end(); });
  return needs;
}

}  // namespace

void AwaitedLoads::look_at(const InFlightPool& in_flight) {
  loads_.clear();
  in_flight.for_each_awaited([&](const InFlight& load) {
    if (load.pc != kNoPc) loads_.push_back(&load);  // else a reconvergence table's entry
  });
}

std::span<const Pc> AwaitedLoads::of(const InstructionBufferEntry& waiting, const simt::Program& program) {
  of_lanes_.clear();
  of_warp_.clear();
  const WarpSplit& split = *waiting.split;
  if (split.pc >= program.code.size()) return of_warp_;
  const simt::Instruction& instruction = program.code[split.pc];
  for (const InFlight* load : loads_) {
    const bool are_at_home = load->home_count == 0 && !split.compacted();
    if (are_at_home && load->warp != waiting.warp) continue;  // as most
    bool has_warp = false, has_lanes = false;
    load->for_each_home([&](unsigned home, ActiveMask lanes) {
      const ActiveMask ours = lanes_in(home, waiting);
      has_warp |= ours.any();
      has_lanes |= ours.intersects(lanes);
    });
    if (has_warp && needs(instruction, *load)) (has_lanes ? of_lanes_ : of_warp_).push_back(load->pc);
  }
  return of_lanes_.empty() ? of_warp_ : of_lanes_;
}

}  // namespace warpfork::gpu
