#include "ooo/lane_scoreboard.h"

namespace warpfork::ooo {

LaneScoreboard::Value LaneScoreboard::operands(const x86::Uop& uop, LaneMask lanes, unsigned latency) const {
  Value last;
  for (const x86::RegisterId source : uop.read()) need(last, source, lanes, 0);
  for (const x86::RegisterId destination : uop.written()) need(last, destination, lanes, latency);
  return last;
}

LaneScoreboard::Value LaneScoreboard::all(LaneMask lanes) const {
  Value last;
  for (x86::RegisterId each = 0; each < x86::kRegisterCount; ++each) need(last, each, lanes, 0);
  return last;
}

/// So many cycles before it is there.
void LaneScoreboard::need(Value& last, x86::RegisterId needed, LaneMask lanes, unsigned before) const {
  for_each_lane(lanes, [&](unsigned lane) {
    const Value& value = values_[needed * lanes_ + lane];
    if (value.ready > last.ready + before) last = {value.ready - before, value.loaded};
  });
}

void LaneScoreboard::write(const x86::Uop& uop, LaneMask lanes, const Value& value) {
  for (const x86::RegisterId written : uop.written())
    for_each_lane(lanes, [&](unsigned lane) { values_[written * lanes_ + lane] = value; });
}

}  // namespace warpfork::ooo
