#include "ooo/paths/path_scheduling_table.h"

#include <algorithm>

namespace warpfork::ooo {

void PathSchedulingTable::add(PathId path, std::uint64_t pc, std::uint32_t depth) {
  check(count_ < kMaxLanes, [&] { return "path scheduling table overflows:\n" + describe(); });
  index_[path] = static_cast<std::uint8_t>(count_);
  entries_[count_++] = {path, false, depth, pc};
}

void PathSchedulingTable::remove(PathId path) { remove_at(index_of(path)); }

void PathSchedulingTable::renew(PathId from, PathId to) {
  const unsigned index = index_of(from);
  index_[from] = kNowhere;
  index_[to] = static_cast<std::uint8_t>(index);
  entries_[index].path = to;
}

void PathSchedulingTable::converge(const Convergence& convergence) {
  remove(convergence.second);
  renew(convergence.first, convergence.created);
}

void PathSchedulingTable::drop_nullified(const PathTable& paths) {
  for (unsigned i = count_; i-- > 0;)
    if (paths.mask(entries_[i].path) == 0) remove_at(i);
}

PathId PathSchedulingTable::pick_among(Cycle cycle) {
  const bool turn = turn_is_due(cycle);
  if (turn) next_turn_ = cycle + turn_every_;
  const ScheduledPath* best = nullptr;
  for (unsigned i = 0; i < count_; ++i) {
    const ScheduledPath& entry = entries_[turn ? (turn_ + i) % count_ : i];
    if (entry.waits) continue;
    if (best == nullptr || entry.depth > best->depth || (entry.depth == best->depth && entry.pc < best->pc))
      best = &entry;
    if (turn) break;
  }
  if (best == nullptr) return kNoPath;
  if (turn) turn_ = static_cast<unsigned>(best - entries_.data()) + 1;
  return best->path;
}

void PathSchedulingTable::remove_at(unsigned index) {
  index_[entries_[index].path] = kNowhere;
  std::copy(entries_.begin() + index + 1, entries_.begin() + count_, entries_.begin() + index);
  --count_;
  for (unsigned i = index; i < count_; ++i) index_[entries_[i].path] = static_cast<std::uint8_t>(i);
  if (turn_ > index) --turn_;  // the turn stays with its path
}

std::string PathSchedulingTable::describe() const {
  std::string text = "path  pc    depth\n";
  for (const ScheduledPath& entry : paths())
    text += fmt::format("h{:<3}  {:<4x}  {}{}\n", entry.path, entry.pc, entry.depth, entry.waits ? "  waits" : "");
  return text;
}

}  // namespace warpfork::ooo
