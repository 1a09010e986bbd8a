// What compaction would have done for warps that do not wait (CAPRI sections II-C and III).
#include <algorithm>

#include "divergence/block_compaction.h"

namespace warpfork {

/// The warp parts without waiting: from now on the compaction unit counts what it would have done.
void BlockCompaction::bypass(WarpId place, Pc reconvergence) {
  const Pc branch = split_in(place).pc;
  const SideId side = places_[place].side;
  ShadowMeetings& shadows = sides_.shadows(side);
  ShadowMeeting* shadow = shadows.at(branch);
  if (shadow == nullptr) {
    if (shadows.empty()) shadowed_.push_back(side);
    shadow = &shadows.begin(branch, reconvergence == kNoPc ? sides_[side].rpc : reconvergence);
    if (const Rendezvous* const meeting = meeting_at(side, branch))
      meeting->waiting.for_each([&](WarpId other) { count_in_shadow(*shadow, other); });
  }
  count_in_shadow(*shadow, place);
  ++shadow->bypassed;
}

void BlockCompaction::count_in_shadow(ShadowMeeting& shadow, WarpId place) {
  ShadowMeetings& shadows = sides_.shadows(places_[place].side);
  shadows.add(shadow, place, places_[place].paths);
  shadow.turn = std::max(shadow.turn, places_[place].turn);
  if (oracle_) shadows.note(shadow, decisions_[place]);
}

/// A warp that a shadow meeting counts already parts at its branch again (in a loop): the meeting ends as it is, for a
/// warp that waited could not have come twice.
void BlockCompaction::end_shadow_of(WarpId place) {
  const SideId side = places_[place].side;
  const ShadowMeeting* const shadow = sides_.shadows(side).at(split_in(place).pc);
  if (shadow == nullptr || !shadow->parted.contains(place)) return;
  judge(side, *shadow);
  if (sides_[side].shadows.empty()) std::erase(shadowed_, side);
}

/// The shadow meetings to which nobody can come any more, after those who waited at their branch.
void BlockCompaction::end_shadows() {
  std::erase_if(shadowed_, [&](SideId side) {
    const auto over = [&](const ShadowMeeting& shadow) {
      return meeting_at(side, shadow.branch) == nullptr &&
             (awaited(side, shadow.branch, shadow.turn) - shadow.came).none();
    };
    for (bool ended = true; ended;) {
      const auto shadow = std::ranges::find_if(sides_[side].shadows.all(), over);
      ended = shadow != sides_[side].shadows.all().end();
      if (ended) judge(side, *shadow);
    }
    const bool none_left = sides_[side].shadows.empty();
    if (none_left) sides_.reap(side);
    return none_left;
  });
}

/// Whether the advice not to wait was right; what comes of it is the branch's latest outcome.
void BlockCompaction::judge(SideId side, const ShadowMeeting& shadow) {
  changed_ |= WarpSet::lane(shadow.parted.lowest());  // so that the call is heard
  ShadowMeetings& shadows = sides_.shadows(side);
  const Compaction judged = shadows.end(shadow.branch);
  predictor_->update(judged.branch, judged.paid());
  if (oracle_) shadows.judge(judged.branch, judged.paid(), *oracle_);
  compactions_.push_back(judged);
}

}  // namespace warpfork
