#include "gpu/register_hazards.h"

#include <algorithm>

namespace warpfork::gpu {

void RegisterHazards::begin_kernel(const simt::Program& program) {
  program_ = &program;
  most_destinations_ = 0;
  uses_.clear();
  watches_reads_ = program.allocation && !reads_in_order_;
  reads_.begin_kernel(program, watches_reads_);
  scoreboard_.begin_kernel(program.code);
  for (const simt::Instruction& instruction : program.code) {
    most_destinations_ = std::max<unsigned>(most_destinations_, instruction.destination_count);
    const Pc pc = static_cast<Pc>(uses_.size());
    uses_.push_back(
        {&instruction, Scoreboard::touched(instruction), Scoreboard::written(instruction), reads_.written(pc)});
  }
}

WarpSlots RegisterHazards::sharers(const InFlight& record) const {
  WarpSlots places;
  record.for_each_home([&](unsigned home, ActiveMask) {
    if (scoreboard_.may_hold_up_others(home, most_destinations_)) places |= homes_.users(home);
  });
  return places;
}

Scoreboard::Hazard RegisterHazards::hazard_of_homes(unsigned warp, const WarpSplit& split) const {
  const Use& use = uses_[split.pc];
  const unsigned first_warp = blocks_.first_warp_of(warp);
  const Scoreboard::Hazard found = scoreboard_.hazard(first_warp, *use.instruction, use.touched, split.homes);
  if (found != Scoreboard::Hazard::None) return found;
  const bool is_to_be_read = std::ranges::any_of(split.homes, [&](const HomeLanes& home) {
    const unsigned of = first_warp + home.warp;
    return reads_.may_hold_up(of, use.overwritten) && reads_.hold_up(of, split.pc, home.lanes);
  });
  return is_to_be_read ? Scoreboard::Hazard::Register : Scoreboard::Hazard::None;
}

}  // namespace warpfork::gpu
