#include "gpu/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::gpu {

Scoreboard::Scoreboard(unsigned warps, unsigned entries, bool lane_masks)
    : limit_(entries), lane_masks_(lane_masks), warps_(warps) {
  for (Warp& warp : warps_) warp.entries.reserve(16);
}

const Scoreboard::Entry* Scoreboard::find(const Warp& warp, std::uint16_t reg) {
  for (const Entry& entry : warp.entries)
    if (entry.reg == reg) return &entry;
  return nullptr;
}

Scoreboard::Hazard Scoreboard::hazard(unsigned warp_slot, const simt::Instruction& instruction,
                                      ActiveMask lanes) const {
  const Warp& warp = warps_[warp_slot];
  if (warp.entries.empty()) return Hazard::None;
  Hazard found = Hazard::None;
  unsigned new_entries = 0;
  const auto look_up = [&](std::uint16_t reg) {
    if ((warp.signature & bit(reg)) == 0) return false;
    const Entry* entry = find(warp, reg);
    if (entry == nullptr) return false;
    if ((!lane_masks_ || entry->lanes.intersects(lanes)) && found != Hazard::Memory)
      found = entry->by_memory ? Hazard::Memory : Hazard::Register;
    return true;
  };
  for (unsigned i = 0; i < instruction.source_count; ++i) look_up(instruction.sources[i]);
  for (unsigned i = 0; i < instruction.destination_count; ++i) new_entries += !look_up(instruction.destinations[i]);
  if (instruction.guard_register != simt::Instruction::kNoPredicate) look_up(instruction.guard_register);
  if (found == Hazard::None && limit_ != 0 && new_entries != 0 && warp.entries.size() + new_entries > limit_)
    return Hazard::Full;
  return found;
}

std::uint64_t Scoreboard::written(const simt::Instruction& instruction) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < instruction.destination_count; ++i) bits |= bit(instruction.destinations[i]);
  return bits;
}

std::uint64_t Scoreboard::touched(const simt::Instruction& instruction) {
  std::uint64_t bits = written(instruction);
  for (unsigned i = 0; i < instruction.source_count; ++i) bits |= bit(instruction.sources[i]);
  if (instruction.guard_register != simt::Instruction::kNoPredicate) bits |= bit(instruction.guard_register);
  return bits;
}

Scoreboard::Hazard Scoreboard::hazard(unsigned first_warp, const simt::Instruction& instruction, std::uint64_t needed,
                                      std::span<const HomeLanes> homes) const {
  Hazard worst = Hazard::None;
  for (const HomeLanes& home : homes) {
    const unsigned warp = first_warp + home.warp;
    if (!may_hold_up(warp, needed, instruction.destination_count)) continue;
    worst = std::max(worst, hazard(warp, instruction, home.lanes));
    if (worst == Hazard::Memory) break;
  }
  return worst;
}

void Scoreboard::reserve(unsigned warp_slot, const simt::Instruction& instruction, ActiveMask lanes, bool by_memory) {
  Warp& warp = warps_[warp_slot];
  for (unsigned i = 0; i < instruction.destination_count; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    const auto entry =
        std::find_if(warp.entries.begin(), warp.entries.end(), [&](const Entry& e) { return e.reg == reg; });
    if (entry != warp.entries.end()) {
      entry->lanes |= lanes;
      entry->by_memory |= by_memory;
    } else {
      warp.entries.push_back({reg, by_memory, lanes});
      warp.signature |= bit(reg);
    }
  }
}

void Scoreboard::release(unsigned warp_slot, const simt::Instruction& instruction, ActiveMask lanes) {
  Warp& warp = warps_[warp_slot];
  bool gone = false;
  for (unsigned i = 0; i < instruction.destination_count; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    const auto entry =
        std::find_if(warp.entries.begin(), warp.entries.end(), [&](const Entry& e) { return e.reg == reg; });
    if (entry == warp.entries.end()) continue;
    entry->lanes -= lanes;
    if (entry->lanes.any()) continue;
    warp.entries.erase(entry);
    gone = true;
  }
  if (!gone) return;
  warp.signature = 0;
  for (const Entry& entry : warp.entries) warp.signature |= bit(entry.reg);
}

std::string Scoreboard::describe(unsigned warp, unsigned width) const {
  std::string text;
  for (const Entry& entry : warps_[warp].entries)
    text += fmt::format("{}%{} {}", text.empty() ? "" : ", ", entry.reg, entry.lanes.to_string(width));
  return text;
}

}  // namespace warpfork::gpu
