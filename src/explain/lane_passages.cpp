#include "explain/lane_passages.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::explain {

namespace {
constexpr std::size_t kMostRanges = 3;  // that are all printed
}

void LaneCycles::add(unsigned lane, Cycle now) {
  lanes_ |= std::uint64_t{1} << lane;
  if (!ranges_.empty()) {
    Range& last = ranges_.back();
    const Cycle step = now - last.last;
    if (step == 0) return;  // two lanes at once
    if (step == last.stride || (step == 1 && last.stride == 0)) {
      last.last = now;
      last.stride = step;
      return;
    }
    if (ranges_.size() > 1 && last.stride == 0) {  // three single cycles may be a range
      Range& before = ranges_[ranges_.size() - 2];
      if (before.stride == 0 && last.last - before.last == step) {
        before = {before.first, now, step};
        ranges_.pop_back();
        return;
      }
    }
  }
  ranges_.push_back({now, now, 0});
}

std::string LaneCycles::Range::text() const {
  if (stride == 0) return fmt::format("{}", first);
  return stride == 1 ? fmt::format("{}-{}", first, last) : fmt::format("{}-{} by {}", first, last, stride);
}

std::string LaneCycles::lanes() const {
  std::string text;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (lanes_ >> lane & 1) text += fmt::format("{}{}", text.empty() ? "" : ",", lane);
  return text;
}

std::string LaneCycles::cycles() const {
  if (ranges_.size() > kMostRanges) return fmt::format("{}, …, {}", ranges_.front().text(), ranges_.back().text());
  std::string text;
  for (const Range& range : ranges_) text += (text.empty() ? "" : ", ") + range.text();
  return text;
}

void LanePassages::issued(const simt::Instruction& instruction, ActiveMask lanes, std::size_t line) {
  open_.push_back({&instruction, lanes, line, kNoLane, {}});
}

void LanePassages::entered(const gpu::InFlight& record, unsigned lane, ActiveMask threads, Cycle now) {
  auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& begun) { return begun.lane == lane; });
  if (open == open_.end()) {
    open = std::find_if(open_.begin(), open_.end(), [&](const Open& next) {
      return next.lane == kNoLane && next.instruction == record.instruction && next.lanes == record.lanes;
    });
    if (open == open_.end()) return;
    open->lane = lane;
    open->missing = record.executed;
  }
  open->missing -= threads;
  if (open->line != kNoLine) {
    if (lines_.size() <= open->line) lines_.resize(open->line + 1);
    lines_[open->line].add(lane, now);
  }
  if (open->missing.none()) open_.erase(open);
}

}  // namespace warpfork::explain
