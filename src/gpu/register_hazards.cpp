#include "gpu/register_hazards.h"

#include <algorithm>

namespace warpfork::gpu {

void RegisterHazards::begin_kernel(const simt::Program& program) {
  program_ = &program;
  most_destinations_ = 0;
  touched_.clear();
  watches_reads_ = program.allocation && !reads_in_order_;
  reads_.begin_kernel(program, watches_reads_);
  for (const simt::Instruction& instruction : program.code) {
    most_destinations_ = std::max<unsigned>(most_destinations_, instruction.destination_count);
    touched_.push_back(Scoreboard::touched(instruction));
  }
}

WarpSlots RegisterHazards::sharers(const InFlight& record) const {
  WarpSlots places;
  record.for_each_home([&](unsigned home, ActiveMask) {
    if (scoreboard_.may_hold_up_others(home, most_destinations_)) places |= homes_.users(home);
  });
  return places;
}

bool RegisterHazards::is_to_be_read(unsigned warp, const WarpSplit& split) const {
  if (!split.compacted()) return reads_.hold_up(warp, split.pc, split.lanes);
  return std::ranges::any_of(split.homes, [&](const HomeLanes& home) {
    return reads_.hold_up(blocks_.first_warp_of(warp) + home.warp, split.pc, home.lanes);
  });
}

}  // namespace warpfork::gpu
