#include "divergence/shadow_meetings.h"

#include <algorithm>

namespace warpfork {

ShadowMeeting* ShadowMeetings::at(Pc branch) {
  const auto found = std::ranges::find(meetings_, branch, &ShadowMeeting::branch);
  return found == meetings_.end() ? nullptr : &*found;
}

ShadowMeeting& ShadowMeetings::begin(Pc branch, Pc arrived) {
  meetings_.emplace_back();
  meetings_.back().branch = branch;
  meetings_.back().arrived = arrived;
  return meetings_.back();
}

void ShadowMeetings::add(ShadowMeeting& meeting, WarpId place, std::span<const Path> paths) {
  meeting.parted |= WarpSet::lane(place);
  meeting.came |= WarpSet::lane(place);
  for (const Path& path : paths) {
    if (path.pc == meeting.arrived) continue;
    Side& to = side(meeting.branch, path.pc);
    ++to.warps;
    path.lanes.for_each([&](unsigned lane) { to.most = std::max<unsigned>(to.most, ++to.threads[lane]); });
  }
}

Compaction ShadowMeetings::end(Pc branch) {
  Compaction judged;
  judged.branch = branch;
  judged.parted = true;
  judged.bypassed = at(branch)->bypassed;
  for (const Side& side : sides_) {
    if (side.branch != branch) continue;
    judged.before += side.warps;
    judged.after += side.most;
  }
  std::erase_if(sides_, [&](const Side& side) { return side.branch == branch; });
  std::erase_if(meetings_, [&](const ShadowMeeting& meeting) { return meeting.branch == branch; });
  return judged;
}

void ShadowMeetings::judge(Pc branch, bool paid, CompactionOracle& oracle) {
  for (const Noted& noted : decisions_)
    if (noted.branch == branch) oracle.might_have_met(noted.decision, paid);
  std::erase_if(decisions_, [&](const Noted& noted) { return noted.branch == branch; });
}

ShadowMeetings::Side& ShadowMeetings::side(Pc branch, Pc target) {
  for (Side& side : sides_)
    if (side.branch == branch && side.target == target) return side;
  sides_.push_back({.branch = branch, .target = target});
  return sides_.back();
}

}  // namespace warpfork
