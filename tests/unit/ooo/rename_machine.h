// A path table, a rename strategy and a reorder buffer with values: the least that shows what renaming means.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ooo/paths/path_table.h"
#include "ooo/rename/registry.h"

namespace warpfork::ooo {

struct RenameMachineSpec {
  std::string strategy = "pirat";
  PathTableSpec paths;
  unsigned architectural = 4;
  unsigned integer = 8, vector = 0, flags = 0;  // physical; architectural flags, if there are physical ones
};

/// Commits in order. At its commit each µop must find in its source registers, for each lane that its path has in the
/// end, the value that the lane's own last writer in program order gave; and no register that it reads may have been
/// released since it was renamed. A violation throws std::runtime_error.
class RenameMachine {
 public:
  struct Item {
    enum class Kind { Uop, Merge, Branch, Join, End } kind = Kind::Uop;
    PathId path = kNoPath;
    std::vector<x86::RegisterId> architectural;  // sources
    RenamedUop uop;
    Merge merge;
    Divergence divergence;
    Convergence convergence;
    std::vector<std::uint64_t> generations;  // of the physical registers read, when renamed
    std::uint64_t group = 0;                 // a µop and its merges have the same
  };

  explicit RenameMachine(const RenameMachineSpec& spec);

  RenameOutcome rename(PathId path, const std::vector<x86::RegisterId>& sources,
                       const std::vector<x86::RegisterId>& destinations);
  /// kNoPath if the Pathtable is full.
  PathId diverge(PathId from);
  PathId converge(PathId first, PathId second);
  /// The last µop of the path's threads.
  void end(PathId path);
  /// When nothing is in flight, threads begin in the lanes of those that ended, with the values that they find there.
  void start_again();
  /// Of the branch that created the path. Returns the alternate path.
  PathId resolve(PathId created, LaneMask stays);

  /// The oldest; false if there is none or it must wait for its branch.
  bool commit();
  /// Takes the youngest ones back, one by one, each with what belongs to the same µop.
  void squash(std::size_t count);
  /// Takes back all that is in flight; a µop whose merges have committed commits first. Throws unless the table is then
  /// what has committed.
  void flush();

  /// Throws unless each physical register is free, mapped once, or dropped by a µop in flight, and nothing else.
  void audit() const;

  /// Architectural ones.
  std::vector<x86::RegisterId> registers() const;
  const std::deque<Item>& in_flight() const { return items_; }
  PathTable& paths() { return paths_; }
  RenameStrategy& strategy() { return *strategy_; }
  FreeList& free() { return free_; }
  /// The mapping as far as it has committed.
  RegisterPair committed(x86::RegisterId architectural) const { return committed_[architectural]; }
  /// Lanes whose threads have ended.
  LaneMask ended() const { return ended_; }
  unsigned merges() const { return merges_; }

 private:
  using Lanes = std::array<std::uint64_t, kMaxLanes>;

  void add(Item item, std::span<const PhysicalRegister> reads, std::span<const Renaming> writes);
  void add_merges(std::span<const Merge> merges);
  void check_reads(const Item& item, std::span<const PhysicalRegister> reads) const;
  void commit_uop(const Item& item);
  void commit_merge(const Item& item);
  void commit(const Renaming& renaming);
  void undo(const Item& item);

  RenameMachineSpec spec_;
  PathTable paths_;
  FreeList free_;
  std::unique_ptr<RenameStrategy> strategy_;
  std::deque<Item> items_;
  std::vector<Lanes> physical_, expected_;  // values; expected: of architectural registers
  std::vector<RegisterPair> committed_;     // by architectural register
  std::vector<std::uint64_t> generation_;   // how often a physical register was given out
  std::uint64_t values_ = 0;
  LaneMask ended_ = 0;
  unsigned merges_ = 0;
  std::uint64_t group_ = 0, committed_group_ = 0;
};

}  // namespace warpfork::ooo
