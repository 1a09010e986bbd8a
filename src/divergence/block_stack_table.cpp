#include "divergence/block_stack_table.h"

#include <algorithm>
#include <vector>

namespace warpfork {

StateTable BlockStackTable::of(WarpId place) const {
  using enum StateTable::Kind;
  StateTable table{"stack",
                   {{"pc", ProgramCounter},
                    {"rpc", ProgramCounter},
                    {"wcnt", Number},
                    {"umask", Number},
                    {"lanes", Mask},
                    {"", Text},
                    {"", Text}},
                   {},
                   {}};
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
    add_rows_of(*next, place, table);
    frame = static_cast<FrameId>(next - frames.begin());
  }
  const DynamicWarp& here = warps_[place];
  const BranchSide& side = sides_[here.side];
  if (here.frame != frame || !side.inside.contains(place)) return table;
  for (const CompactionBarrier& barrier : barriers_.all())
    if (barrier.waiting.contains(place)) {
      add_rows_of_waiting(barrier, place, table);
      return table;
    }
  const unsigned to_come = (sides_.members(here.side) & warps_.runnable()).count();
  table.rows.push_back(row(warps_.split(place).pc, side.rpc, to_come, here.u_mask, here.threads,
                           warps_.runnable().contains(place) ? "top" : "top, waits"));
  return table;
}

/// The warp that comes back, and what it has to run before, the next one last.
void BlockStackTable::add_rows_of(const CompactionFrame& frame, WarpId place, StateTable& table) const {
  const unsigned to_come = sides_.awaited(frame.side, frame.branch, frame.turn, warps_.runnable()).count();
  for (const SuspendedWarp& warp : frame.restore)
    if (warp.place == place)
      table.rows.push_back(row(warp.pc, sides_[frame.side].rpc, to_come, warp.u_mask, warp.warp));
  for (const SuspendedWarp& warp : frame.sides)
    if (warp.place == place) table.rows.push_back(row(warp.pc, frame.rpc, 0, warp.u_mask, warp.warp));
}

/// The entries that the warp has pushed at the branch where it waits.
void BlockStackTable::add_rows_of_waiting(const CompactionBarrier& barrier, WarpId place, StateTable& table) const {
  const DynamicWarp& here = warps_[place];
  const WarpSet others = sides_.awaited(barrier.side, barrier.branch, barrier.turn, warps_.runnable());
  const Pc own = sides_[barrier.side].rpc, rpc = barrier.reconvergence == kNoPc ? own : barrier.reconvergence;
  table.rows.push_back(row(rpc, own, others.count(), here.u_mask, here.threads));
  for (auto path = here.paths.rbegin(); path != here.paths.rend(); ++path) {
    CompactedWarp part = here.threads;
    part.lanes = path->lanes;
    if (path->pc != rpc) table.rows.push_back(row(path->pc, rpc, 0, UMask::Set, part));
  }
  table.note = fmt::format("waits at {} for", barrier.branch);
  others.for_each([&](WarpId other) { table.note += fmt::format(" {}", other); });
}

std::vector<std::string> BlockStackTable::row(Pc pc, Pc rpc, unsigned to_come, UMask u_mask, const CompactedWarp& warp,
                                              const char* state) const {
  const unsigned width = mask_width(live_.launched());
  std::vector<HomeLanes> homes;
  warp.list_homes(homes);
  std::string threads;
  for (const HomeLanes& home : homes) {
    const ActiveMask lanes = home.lanes & live_.of(home.warp);
    if (lanes.any()) threads += fmt::format("{}{}:{}", threads.empty() ? "" : " ", home.warp, lanes.to_string(width));
  }
  return {pc_text(pc),
          pc_text(rpc),
          fmt::format("{}", to_come),
          std::string(1, static_cast<char>(u_mask)),
          live_.of(warp).to_string(width),
          threads,
          state};
}

}  // namespace warpfork
