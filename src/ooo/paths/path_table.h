// The Pathtable of one warp (SIMT-X 3.3, 3.5 and 3.7): which lanes each path has, as far as is known.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "ooo/paths/lane_mask.h"
#include "ooo/paths/path_id.h"

namespace warpfork::ooo {

struct PathTableSpec {
  unsigned lanes = 4;
  unsigned entries = 8;  ///< section 4.5: 16 entries for two warps; at least lanes + 2, at most PathTable::kMaxEntries
};

/// Paths that the front end schedules have disjoint masks. The mask of a speculative path contains the actual one and
/// only ever shrinks; a `resolved` mask is the actual one. A path is evicted when the µop that created it is committed,
/// neither the front end nor the retirement copy schedules it, and no µop refers to it.
///
/// Events, in the order in which a pipeline tells of them:
///   predict_divergence  the front end leaves `from` and goes on in a new path with the same mask; the buop refers to
///                       `from`
///   resolve             the buop executes: lanes that do not stay leave the new path and every younger path and become
///                       the alternate path, which the front end schedules. Nobody stays: the new path is nullified and
///                       so are its descendants (wrong direction)
///   commit              the buop commits: masks are valid, `from` is dereferenced, the retirement copy schedules the
///                       new paths
/// Convergence has the same three. undo() takes an uncommitted µop's event back, youngest µop first.
/// Every µop in flight must hold a reference to its own path, and a merge µop another to the path that selects its
/// lanes.
///
/// describe(), Figure 3(b) once the buop has executed:
///   path  mask  v  references
///   h0    1111  1  1
///   h1    0011  0  0
///   h2    1100  0  0
class PathTable {
 public:
  static constexpr unsigned kMaxEntries = 128;

  /// Throws Error if the table is too small to make progress.
  explicit PathTable(const PathTableSpec& spec);

  /// Threads that begin: a path with these lanes, committed and scheduled. kNoPath: no room, try later.
  PathId start(LaneMask lanes);
  /// The last instruction of a path's threads is fetched; commits (told before its reference is given back); is undone.
  void end(PathId path);
  void commit_end(PathId path);
  void undo_end(PathId path);

  /// kNoPath if the table has no room (the caller stalls): each unresolved buop keeps an entry for its alternate path.
  PathId predict_divergence(PathId from);
  /// `stays`: those of the path's lanes that go the way which the front end took. Sets `alternate` if others do not.
  /// `from` must be resolved.
  void resolve(Divergence& divergence, LaneMask stays);
  void commit(const Divergence& divergence);
  void undo(const Divergence& divergence);

  /// kNoPath as above. The mask of the new path is the union of the two; the cuop refers to both.
  PathId predict_convergence(PathId first, PathId second);
  /// Both must be resolved.
  void resolve(const Convergence& convergence);
  void commit(const Convergence& convergence);
  void undo(const Convergence& convergence);

  void reference(PathId path) { ++entries_[path].references; }
  void dereference(PathId path) {
    check(entries_[path].references != 0, [&] { return no_reference(path); });
    if (--entries_[path].references == 0) evict_if_unused(path);
  }

  LaneMask mask(PathId path) const { return entries_[path].mask; }
  bool exists(PathId path) const { return entries_[path].used; }
  bool resolved(PathId path) const { return entries_[path].resolved; }
  bool committed(PathId path) const { return entries_[path].committed; }
  bool scheduled(PathId path) const { return entries_[path].scheduled; }
  unsigned references(PathId path) const { return entries_[path].references; }
  unsigned used() const { return used_; }
  unsigned lanes() const { return spec_.lanes; }
  /// Lanes with a thread whose end has not committed: nobody needs a value in the others.
  LaneMask living() const { return living_; }
  std::string describe() const;

 private:
  struct Entry {
    LaneMask mask = 0;
    std::uint16_t references = 0;  // by µops in flight
    bool used = false, resolved = false, committed = false;
    bool scheduled = false;  // in the Path Scheduling Table
    bool retired = false;    // in its retirement copy
  };

  std::string no_reference(PathId path) const;
  bool has_room(unsigned new_buops) const;
  PathId allocate(LaneMask mask);
  void evict_if_unused(PathId path);
  void evict(PathId path);
  void take_from_younger(PathId path, LaneMask lanes);

  PathTableSpec spec_;
  std::array<Entry, kMaxEntries> entries_{};
  std::array<PathId, kMaxEntries> by_age_{};  // oldest first
  unsigned used_ = 0;
  unsigned unresolved_ = 0;  // buops
  LaneMask living_ = 0;
  PathId free_pointer_ = 0;  // where the search for a free entry begins
};

}  // namespace warpfork::ooo
