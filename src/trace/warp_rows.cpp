#include "trace/warp_rows.h"

#include <algorithm>

#include "base/text.h"

namespace warpfork::trace {

namespace {

std::string homes_text(std::span<const HomeLanes> homes, unsigned width) {
  std::string text;
  for (const HomeLanes& home : homes)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", home.warp, home.lanes.to_string(width));
  return text;
}

/// Of the branch: where its lanes went.
std::string sides_text(const gpu::Step& step, unsigned width) {
  const simt::Instruction& branch = *step.instruction;
  std::string text =
      fmt::format(R"("taken":"{}","target_pc":{},"not_taken":"{}","next_pc":{})", step.executed.to_string(width),
                  branch.target, (step.active - step.executed).to_string(width), step.pc + 1);
  if (branch.reconvergence != kNoPc) text += fmt::format(R"(,"reconvergence_pc":{})", branch.reconvergence);
  return text;
}

}  // namespace

WarpRows::WarpRows(EventWriter& writer, const CodeText& code, Track first, unsigned slot, unsigned width)
    : writer_(writer), code_(code), first_(first), slot_(slot), width_(width) {}

void WarpRows::begin(const gpu::ResidentBlock& block, WarpId warp, Dim3 index, Cycle at) {
  if (block.domain().finished(warp)) return;
  block_ = &block;
  warp_ = warp;
  if (rows_.empty()) free_row();
  writer_.begin(rows_.front().track, at, fmt::format("block {},{},{} warp {}", index.x, index.y, index.z, warp));
  changed(at);
}

void WarpRows::issued(const report::IssueEvent& event) {
  const gpu::Step& step = *event.step;
  Row& row = row_of(step.active);
  const bool is_branch = step.instruction->kind == simt::InstructionKind::Branch;
  if (is_branch && step.executed.any() && step.executed != step.active)
    writer_.instant(row.track, event.cycle, "divergence", sides_text(step, width_));
  if (step.exited.any())
    writer_.instant(row.track, event.cycle, "exit", fmt::format(R"("lanes":"{}")", mask(step.exited)));
  std::string arguments = fmt::format(R"({},"lanes":"{}")", code_.arguments(step.pc), mask(step.active));
  if (step.executed != step.active) arguments += fmt::format(R"(,"executed":"{}")", mask(step.executed));
  writer_.slice(row.track, event.cycle, 1, code_.operation(step.pc), arguments);
}

void WarpRows::changed(Cycle at) {
  const std::vector<Split> now = look();
  std::vector<Split> before;
  for (Row& row : rows_) {
    if (!row.is_used) continue;
    before.push_back(row.split);
    const auto same = std::ranges::find_if(now, [&](const Split& split) { return split.is_same(row.split); });
    if (same == now.end())
      end_split(row, at);
    else
      set_waiting(row, same->waits, at);
  }
  for (const Split& split : now)
    if (std::ranges::none_of(before, [&](const Split& was) { return was.is_same(split); }))
      begin_split(split, before, at);
  if (block_->domain().finished(warp_)) end(at);
}

void WarpRows::end(Cycle at) {
  if (block_ == nullptr) return;
  for (Row& row : rows_)
    if (row.is_used) end_split(row, at);
  writer_.end(rows_.front().track, at);
  block_ = nullptr;
}

std::vector<WarpRows::Split> WarpRows::look() const {
  std::vector<Split> splits;
  const auto add = [&](SplitId id, bool waits) {
    const WarpSplit& split = block_->domain().split(id);
    splits.push_back({split.lanes, homes_text(split.homes, width_), waits, split.pc});
  };
  for (const SplitId id : block_->domain().runnable(warp_)) add(id, false);
  block_->for_each_waiting(warp_, [&](SplitId id) { add(id, true); });
  return splits;
}

/// Lanes of a warp's splits are disjoint.
WarpRows::Row& WarpRows::row_of(ActiveMask lanes) {
  const auto row = std::ranges::find_if(rows_, [&](const Row& one) { return one.is_used && one.split.lanes == lanes; });
  return row == rows_.end() ? rows_.front() : *row;
}

WarpRows::Row& WarpRows::free_row() {
  const auto row = std::ranges::find_if(rows_, [](const Row& one) { return !one.is_used; });
  if (row != rows_.end()) return *row;
  const auto number = static_cast<unsigned>(rows_.size());
  Row& added = rows_.emplace_back();
  added.track = {first_.process, first_.thread + number};
  writer_.name_track(added.track,
                     number == 0 ? fmt::format("warp {}", slot_) : fmt::format("warp {}, split {}", slot_, number + 1));
  return added;
}

void WarpRows::begin_split(const Split& split, const std::vector<Split>& before, Cycle at) {
  Row& row = free_row();
  row.is_used = true;
  row.split = split;
  row.split.waits = false;
  std::string arguments = fmt::format(R"("lanes":"{}","pc":{})", mask(split.lanes), split.pc);
  if (!split.homes.empty()) arguments += fmt::format(R"(,"threads":"{}")", split.homes);
  const bool has_met = std::ranges::any_of(
      before, [&](const Split& was) { return split.lanes.contains(was.lanes) && split.lanes != was.lanes; });
  if (!split.homes.empty())
    writer_.instant(row.track, at, "compaction", arguments);
  else if (has_met)
    writer_.instant(row.track, at, "reconvergence", arguments);
  writer_.begin(row.track, at, counted(split.lanes.count(), "lane"), arguments);
  set_waiting(row, split.waits, at);
}

void WarpRows::end_split(Row& row, Cycle at) {
  set_waiting(row, false, at);
  writer_.end(row.track, at);
  row.is_used = false;
}

void WarpRows::set_waiting(Row& row, bool waits, Cycle at) {
  if (waits && !row.split.waits) writer_.begin(row.track, at, "barrier");
  if (!waits && row.split.waits) writer_.end(row.track, at);
  row.split.waits = waits;
}

}  // namespace warpfork::trace
