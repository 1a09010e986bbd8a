#include "gpu/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/touched_registers.h"

namespace warpfork::gpu {

Scoreboard::Scoreboard(unsigned warps, unsigned entries, bool lane_masks)
    : limit_(limit_of(entries)), lane_masks_(lane_masks), warps_(warps) {}

bool Scoreboard::has_bits_of_its_own(const simt::Instruction& instruction) {
  bool has = true;
  for_each_touched(instruction, [&](std::uint16_t reg) { has &= reg < kBits; });
  return has;
}

Scoreboard::Hazard Scoreboard::hazard(unsigned warp_slot, const simt::Instruction& instruction,
                                      ActiveMask lanes) const {
  const Warp& warp = warps_[warp_slot];
  if (warp.count == 0) return Hazard::None;
  Hazard found = Hazard::None;
  unsigned new_entries = 0;
  const auto look_up = [&](std::uint16_t reg) {
    const Entry* const entry = find(warp, reg);
    if (entry == nullptr) return false;
    if ((!lane_masks_ || entry->lanes.intersects(lanes)) && found != Hazard::Memory)
      found = entry->by_memory ? Hazard::Memory : Hazard::Register;
    return true;
  };
  for (unsigned i = 0; i < instruction.source_count; ++i) look_up(instruction.sources[i]);
  for (unsigned i = 0; i < instruction.destination_count; ++i) new_entries += !look_up(instruction.destinations[i]);
  if (instruction.guard_register != simt::Instruction::kNoPredicate) look_up(instruction.guard_register);
  if (found == Hazard::None && new_entries != 0 && warp.count + new_entries > limit_) return Hazard::Full;
  return found;
}

std::uint64_t Scoreboard::written(const simt::Instruction& instruction) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < instruction.destination_count; ++i) bits |= bit(instruction.destinations[i]);
  return bits;
}

std::uint64_t Scoreboard::touched(const simt::Instruction& instruction) {
  std::uint64_t bits = 0;
  for_each_touched(instruction, [&](std::uint16_t reg) { bits |= bit(reg); });
  return bits;
}

Scoreboard::Hazard Scoreboard::hazard(unsigned first_warp, const simt::Instruction& instruction, std::uint64_t touched,
                                      std::span<const HomeLanes> homes) const {
  Hazard worst = Hazard::None;
  for (const HomeLanes& home : homes) {
    const unsigned warp = first_warp + home.warp;
    const std::optional<Hazard> at_once = hazard_at_once(warp, instruction, touched);
    worst = std::max(worst, at_once ? *at_once : hazard(warp, instruction, home.lanes));
    if (worst == Hazard::Memory) break;
  }
  return worst;
}

/// Another register of the same bit may be pending, too.
void Scoreboard::note_others(Warp& warp, std::uint16_t reg) {
  for (const Entry& other : warp.entries)
    if (bit(other.reg) == bit(reg)) warp.pending |= bit(reg);
}

std::vector<Scoreboard::Entry> Scoreboard::in_order(const Warp& warp) {
  std::vector<Entry> entries = warp.entries;
  std::ranges::sort(entries, {}, &Entry::number);
  return entries;
}

std::string Scoreboard::describe(unsigned warp, unsigned width) const {
  std::string text;
  for_each_pending(warp, [&](std::uint16_t reg, ActiveMask lanes, bool) {
    text += fmt::format("{}%{} {}", text.empty() ? "" : ", ", reg, lanes.to_string(width));
  });
  return text;
}

}  // namespace warpfork::gpu
