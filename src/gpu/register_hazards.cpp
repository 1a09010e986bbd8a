#include "gpu/register_hazards.h"

#include <algorithm>

namespace warpfork::gpu {

void RegisterHazards::begin_kernel(const KernelTables& kernel) {
  table_ = &kernel.hazards;
  reads_.begin_kernel(*table_);
  scoreboard_.begin_kernel(table_->has_few_registers());
  signs_are_exact_ = scoreboard_.signs_are_exact() && reads_.signs_are_exact();
}

void RegisterHazards::reserve_in_homes(const InFlight& record, bool by_memory) {
  record.for_each_home([&](unsigned home, ActiveMask lanes) {
    scoreboard_.reserve(home, *record.instruction, lanes, by_memory);
    if (table_->watches_reads()) reads_.add(home, record.pc, lanes);
  });
}

RegisterHazards::Release RegisterHazards::release_in_homes(const InFlight& record) {
  Release release{{}, table_->use(record.pc).written, false};
  record.for_each_home([&](unsigned home, ActiveMask lanes) {
    release.was_full |= scoreboard_.may_be_full(home, table_->most_destinations());
    scoreboard_.release(home, *record.instruction, lanes);
    release.places |= homes_.users(home);
  });
  return release;
}

std::uint64_t RegisterHazards::read_in_homes(const InFlight& record) {
  std::uint64_t read = 0;
  record.for_each_home([&](unsigned home, ActiveMask lanes) { read |= reads_.remove(home, record.pc, lanes); });
  return read;
}

WarpSlots RegisterHazards::sharers(const InFlight& record) const {
  WarpSlots places;
  record.for_each_home([&](unsigned home, ActiveMask) {
    if (scoreboard_.may_hold_up_others(home, table_->most_destinations())) places |= homes_.users(home);
  });
  return places;
}

Scoreboard::Hazard RegisterHazards::hazard(unsigned warp, const WarpSplit& split) const {
  if (split.compacted()) return hazard_of_homes(warp, split);
  const HazardTable::Use& use = table_->use(split.pc);
  const simt::Instruction& instruction = table_->instruction(split.pc);
  const std::optional<Scoreboard::Hazard> at_once = scoreboard_.hazard_at_once(warp, instruction, use.touched);
  const Scoreboard::Hazard found = at_once ? *at_once : scoreboard_.hazard(warp, instruction, split.lanes);
  if (found != Scoreboard::Hazard::None || !reads_.may_hold_up(warp, use.overwritten)) return found;
  return reads_.hold_up(warp, split.pc, split.lanes) ? Scoreboard::Hazard::Read : Scoreboard::Hazard::None;
}

Scoreboard::Hazard RegisterHazards::hazard_of_homes(unsigned warp, const WarpSplit& split) const {
  const HazardTable::Use& use = table_->use(split.pc);
  const unsigned first_warp = blocks_.first_warp_of(warp);
  const Scoreboard::Hazard found =
      scoreboard_.hazard(first_warp, table_->instruction(split.pc), use.touched, split.homes);
  if (found != Scoreboard::Hazard::None) return found;
  const bool is_to_be_read = std::ranges::any_of(split.homes, [&](const HomeLanes& home) {
    const unsigned of = first_warp + home.warp;
    return reads_.may_hold_up(of, use.overwritten) && reads_.hold_up(of, split.pc, home.lanes);
  });
  return is_to_be_read ? Scoreboard::Hazard::Read : Scoreboard::Hazard::None;
}

}  // namespace warpfork::gpu
