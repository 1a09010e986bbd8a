#include "divergence/block_stack_text.h"

#include <algorithm>
#include <vector>

#include "divergence/table_text.h"

namespace warpfork {

namespace {

constexpr const char* kHead = "stack    pc   rpc  wcnt  umask  lanes\n";

}  // namespace

std::string BlockStackText::of(WarpId place) const {
  std::string text = kHead;
  const std::span<const CompactionFrame> frames = stack_.frames();
  FrameId frame = BlockWideStack::kRoot;
  const auto is_next = [&](const CompactionFrame& next) {
    if (!next.places.contains(place) || &next == &frames[BlockWideStack::kRoot]) return false;
    if (next.parent != CompactionFrame::kNone) return next.parent == frame;
    return std::ranges::any_of(next.restore,
                               [&](const SuspendedWarp& warp) { return warp.place == place && warp.frame == frame; });
  };
  while (true) {
    const auto next = std::ranges::find_if(frames, is_next);
    if (next == frames.end()) break;
    text += rows_of(*next, place);
    frame = static_cast<FrameId>(next - frames.begin());
  }
  const DynamicWarp& here = warps_[place];
  const BranchSide& side = sides_[here.side];
  if (here.frame != frame || !side.inside.contains(place)) return text;
  for (const CompactionBarrier& barrier : barriers_.all())
    if (barrier.waiting.contains(place)) return text + rows_of_waiting(barrier, place);
  const unsigned to_come = (sides_.members(here.side) & warps_.runnable()).count();
  text += row(warps_.split(place).pc, side.rpc, to_come, here.u_mask, here.threads) + "  top";
  if (!warps_.runnable().contains(place)) text += ", waits";
  return text + "\n";
}

/// The warp that comes back, and what it has to run before, the next one last.
std::string BlockStackText::rows_of(const CompactionFrame& frame, WarpId place) const {
  std::string text;
  const unsigned to_come = sides_.awaited(frame.side, frame.branch, frame.turn, warps_.runnable()).count();
  for (const SuspendedWarp& warp : frame.restore)
    if (warp.place == place) text += row(warp.pc, sides_[frame.side].rpc, to_come, warp.u_mask, warp.warp) + "\n";
  for (const SuspendedWarp& warp : frame.sides)
    if (warp.place == place) text += row(warp.pc, frame.rpc, 0, warp.u_mask, warp.warp) + "\n";
  return text;
}

/// The entries that the warp has pushed at the branch where it waits.
std::string BlockStackText::rows_of_waiting(const CompactionBarrier& barrier, WarpId place) const {
  const DynamicWarp& here = warps_[place];
  const WarpSet others = sides_.awaited(barrier.side, barrier.branch, barrier.turn, warps_.runnable());
  const Pc own = sides_[barrier.side].rpc, rpc = barrier.reconvergence == kNoPc ? own : barrier.reconvergence;
  std::string text = row(rpc, own, others.count(), here.u_mask, here.threads) + "\n";
  for (auto path = here.paths.rbegin(); path != here.paths.rend(); ++path) {
    CompactedWarp part = here.threads;
    part.lanes = path->lanes;
    if (path->pc != rpc) text += row(path->pc, rpc, 0, UMask::Set, part) + "\n";
  }
  text += fmt::format("waits at {} for", barrier.branch);
  others.for_each([&](WarpId other) { text += fmt::format(" {}", other); });
  return text + "\n";
}

std::string BlockStackText::row(Pc pc, Pc rpc, unsigned to_come, UMask u_mask, const CompactedWarp& warp) const {
  const unsigned width = mask_width(live_.launched());
  std::vector<HomeLanes> homes;
  warp.list_homes(homes);
  std::string text = fmt::format("      {:>5} {:>5} {:>5}  {:>5}  {} ", pc_text(pc), pc_text(rpc), to_come,
                                 static_cast<char>(u_mask), live_.of(warp).to_string(width));
  for (const HomeLanes& home : homes) {
    const ActiveMask lanes = home.lanes & live_.of(home.warp);
    if (lanes.any()) text += fmt::format(" {}:{}", home.warp, lanes.to_string(width));
  }
  return text;
}

}  // namespace warpfork
