// The block-wide stack as CAPRI draws it (Figures 3 and 6), the part of it that lies in one place.
#include <algorithm>

#include "divergence/block_compaction.h"
#include "divergence/table_text.h"

namespace warpfork {

namespace {

constexpr const char* kHead = "stack    pc   rpc  wcnt  umask  lanes\n";

}  // namespace

std::string BlockCompaction::describe(WarpId place) const {
  std::string text = kHead;
  FrameId frame = kRoot;
  const auto is_next = [&](const CompactionFrame& next) {
    if (!next.places.contains(place) || &next == &frames_[kRoot]) return false;
    if (next.parent != CompactionFrame::kNone) return next.parent == frame;
    return std::ranges::any_of(
        next.restore, [&](const ParkedWarp& parked) { return parked.place == place && parked.frame == frame; });
  };
  while (true) {
    const auto next = std::ranges::find_if(frames_, is_next);
    if (next == frames_.end()) break;
    text += rows_of(*next, place);
    frame = static_cast<FrameId>(next - frames_.begin());
  }
  const Place& here = places_[place];
  const BranchSide& side = sides_[here.side];
  if (here.frame != frame || !side.inside.contains(place)) return text;
  for (const Rendezvous& meeting : meetings_)
    if (meeting.waiting.contains(place)) return text + rows_of_waiting(meeting, place);
  text += row(split_in(place).pc, side.rpc, (sides_.members(here.side) & runnable_).count(), here.u_mask, here.warp) +
          "  top";
  if (!runnable_.contains(place)) text += ", waits";
  return text + "\n";
}

/// The warp that comes back, and what it has to run before, the next one last.
std::string BlockCompaction::rows_of(const CompactionFrame& frame, WarpId place) const {
  std::string text;
  const unsigned to_come = awaited(frame.side, frame.branch, frame.turn).count();
  for (const ParkedWarp& parked : frame.restore)
    if (parked.place == place)
      text += row(parked.pc, sides_[frame.side].rpc, to_come, parked.u_mask, parked.warp) + "\n";
  for (const ParkedWarp& parked : frame.sides)
    if (parked.place == place) text += row(parked.pc, frame.rpc, 0, parked.u_mask, parked.warp) + "\n";
  return text;
}

/// The entries that the warp has pushed at the branch where it waits.
std::string BlockCompaction::rows_of_waiting(const Rendezvous& meeting, WarpId place) const {
  const Place& here = places_[place];
  const WarpSet others = awaited(meeting.side, meeting.branch, meeting.turn);
  const Pc own = sides_[meeting.side].rpc, rpc = meeting.reconvergence == kNoPc ? own : meeting.reconvergence;
  std::string text = row(rpc, own, others.count(), here.u_mask, here.warp) + "\n";
  for (auto path = here.paths.rbegin(); path != here.paths.rend(); ++path) {
    CompactedWarp part = here.warp;
    part.lanes = path->lanes;
    if (path->pc != rpc) text += row(path->pc, rpc, 0, UMask::Set, part) + "\n";
  }
  text += fmt::format("waits at {} for", meeting.branch);
  others.for_each([&](WarpId other) { text += fmt::format(" {}", other); });
  return text + "\n";
}

std::string BlockCompaction::row(Pc pc, Pc rpc, unsigned to_come, UMask u_mask, const CompactedWarp& warp) const {
  const unsigned width = mask_width(launched_);
  std::vector<HomeLanes> homes;
  warp.list_homes(homes);
  ActiveMask alive;
  for (const HomeLanes& home : homes) alive |= home.lanes & live_[home.warp];
  std::string text = fmt::format("      {:>5} {:>5} {:>5}  {:>5}  {} ", pc_text(pc), pc_text(rpc), to_come,
                                 static_cast<char>(u_mask), alive.to_string(width));
  for (const HomeLanes& home : homes) {
    const ActiveMask lanes = home.lanes & live_[home.warp];
    if (lanes.any()) text += fmt::format(" {}:{}", home.warp, lanes.to_string(width));
  }
  return text;
}

}  // namespace warpfork
