#include "ooo/paths/path_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace warpfork::ooo {

PathTable::PathTable(const PathTableSpec& spec) : spec_(spec) {
  // Every lane on a path of its own, a branch of one of them predicted divergent, and the alternate path of that.
  if (spec.lanes == 0 || spec.lanes > kMaxLanes || spec.entries < spec.lanes + 2 || spec.entries > kMaxEntries)
    throw Error("error: a path table of {} entries for {} threads a warp\n  1 to {} threads, and {} to {} entries",
                spec.entries, spec.lanes, kMaxLanes, spec.lanes + 2, kMaxEntries);
}

PathId PathTable::start(LaneMask lanes) {
  if (!has_room(0)) return kNoPath;
  const PathId path = allocate(lanes);
  Entry& entry = entries_[path];
  entry.resolved = entry.committed = entry.scheduled = entry.retired = true;
  living_ |= lanes;
  return path;
}

void PathTable::end(PathId path) { entries_[path].scheduled = false; }

void PathTable::undo_end(PathId path) { entries_[path].scheduled = entries_[path].mask != 0; }

void PathTable::commit_end(PathId path) {
  living_ &= ~mask(path);
  entries_[path].retired = false;
  evict_if_unused(path);
}

PathId PathTable::predict_divergence(PathId from) {
  if (!has_room(1)) return kNoPath;
  ++unresolved_;
  const PathId created = allocate(mask(from));
  entries_[created].scheduled = true;
  entries_[from].scheduled = false;
  reference(from);
  return created;
}

void PathTable::resolve(Divergence& divergence, LaneMask stays) {
  const PathId from = divergence.from, created = divergence.created;
  check(resolved(from) && !resolved(created) && divergence.alternate == kNoPath && covers(mask(from), stays), [&] {
    return fmt::format("branch µop h{} -> h{} resolved to {} out of turn:\n{}", from, created,
                       mask_text(stays, spec_.lanes), describe());
  });
  const LaneMask leave = mask(created) & ~stays;
  --unresolved_;
  entries_[created].resolved = true;
  if (leave == 0) return;
  take_from_younger(created, leave);
  divergence.alternate = allocate(leave);
  Entry& alternate = entries_[divergence.alternate];
  alternate.resolved = alternate.scheduled = true;
}

void PathTable::commit(const Divergence& divergence) {
  const auto [from, created, alternate] = divergence;
  check(resolved(created),
        [&] { return fmt::format("h{} commits before it is resolved:\n{}", divergence.created, describe()); });
  entries_[from].retired = false;
  dereference(from);
  for (const PathId path : {created, alternate}) {
    if (path == kNoPath) continue;
    entries_[path].committed = true;
    entries_[path].retired = mask(path) != 0;
    evict_if_unused(path);
  }
}

void PathTable::undo(const Divergence& divergence) {
  const auto [from, created, alternate] = divergence;
  if (!resolved(created)) --unresolved_;
  evict(created);
  if (alternate != kNoPath) evict(alternate);
  entries_[from].scheduled = mask(from) != 0;
  dereference(from);
}

PathId PathTable::predict_convergence(PathId first, PathId second) {
  if (!has_room(0)) return kNoPath;
  const PathId created = allocate(mask(first) | mask(second));
  entries_[created].scheduled = true;
  for (const PathId path : {first, second}) {
    entries_[path].scheduled = false;
    reference(path);
  }
  return created;
}

void PathTable::resolve(const Convergence& convergence) {
  const auto [first, second, created] = convergence;
  check(resolved(first) && resolved(second) && mask(created) == (mask(first) | mask(second)), [&] {
    return fmt::format("convergence µop h{}, h{} -> h{} resolved out of turn:\n{}", convergence.first,
                       convergence.second, convergence.created, describe());
  });
  entries_[created].resolved = true;
}

void PathTable::commit(const Convergence& convergence) {
  Entry& created = entries_[convergence.created];
  created.committed = true;
  created.retired = created.mask != 0;
  for (const PathId path : {convergence.first, convergence.second}) {
    entries_[path].retired = false;
    dereference(path);
  }
  evict_if_unused(convergence.created);
}

void PathTable::undo(const Convergence& convergence) {
  evict(convergence.created);
  for (const PathId path : {convergence.first, convergence.second}) {
    entries_[path].scheduled = mask(path) != 0;
    dereference(path);
  }
}

std::string PathTable::no_reference(PathId path) const {
  return fmt::format("h{} has no references:\n{}", path, describe());
}

// An unresolved buop needs an entry when it resolves, and entries of younger paths do not become free before it
// commits. Every alternate path takes a lane or more for itself, so that more than `lanes` of them never appear.
bool PathTable::has_room(unsigned new_buops) const {
  return used_ + 1 + std::min(unresolved_ + new_buops, spec_.lanes) <= spec_.entries;
}

PathId PathTable::allocate(LaneMask mask) {
  check(used_ < spec_.entries, [&] { return "path table overflows:\n" + describe(); });
  while (entries_[free_pointer_].used) free_pointer_ = static_cast<PathId>((free_pointer_ + 1) % spec_.entries);
  const PathId path = free_pointer_;
  free_pointer_ = static_cast<PathId>((free_pointer_ + 1) % spec_.entries);
  entries_[path] = Entry{};
  entries_[path].mask = mask;
  entries_[path].used = true;
  by_age_[used_++] = path;
  return path;
}

void PathTable::evict_if_unused(PathId path) {
  const Entry& entry = entries_[path];
  if (entry.committed && !entry.scheduled && !entry.retired && entry.references == 0) evict(path);
}

void PathTable::evict(PathId path) {
  check(exists(path) && entries_[path].references == 0,
        [&] { return fmt::format("h{} is evicted while in use:\n{}", path, describe()); });
  entries_[path].used = false;
  const auto end = by_age_.begin() + used_--;
  std::copy(std::find(by_age_.begin(), end, path) + 1, end, std::find(by_age_.begin(), end, path));
}

// Whoever is younger than `path` and has one of its lanes has it from `path`: all its lanes were on that one path.
void PathTable::take_from_younger(PathId path, LaneMask lanes) {
  const auto end = by_age_.begin() + used_;
  std::for_each(std::find(by_age_.begin(), end, path), end, [&](PathId younger) {
    Entry& entry = entries_[younger];
    entry.mask &= ~lanes;
    if (entry.mask == 0) entry.scheduled = false;
  });
}

std::string PathTable::describe() const {
  std::string text = fmt::format("path  {:<{}}  v  references\n", "mask", std::max(4u, spec_.lanes));
  for (unsigned i = 0; i < used_; ++i) {
    const Entry& entry = entries_[by_age_[i]];
    text += fmt::format("h{:<3}  {:<4}  {}  {}\n", by_age_[i], mask_text(entry.mask, spec_.lanes), +entry.committed,
                        entry.references);
  }
  return text;
}

}  // namespace warpfork::ooo
