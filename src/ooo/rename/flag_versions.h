// The arithmetic flags of one warp: as many versions as its paths need, merged only for who reads two (ADR 0018).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ooo/numbered_queue.h"
#include "ooo/rename/free_list.h"
#include "ooo/rename/register_tag.h"
#include "ooo/rename/renamed_uop.h"

namespace warpfork::ooo {

/// A version is a physical register, of the lanes of its tag; the oldest one is of all lanes. A lane reads the newest
/// that it is in. A write adds a version and drops those that no lane reads any more for certain, and what its own path
/// wrote last; they are released when it commits. There are never more versions than lanes and paths together.
class FlagVersions {
 public:
  /// `registers`: physical ones in all.
  FlagVersions(const PathTable& paths, unsigned registers) : paths_(paths), states_(registers) {}

  /// The version that threads begin with.
  void begin(PhysicalRegister initial) { versions_ = {initial}; }

  /// The versions that a path's lanes read, newest first: at least one.
  struct Reads {
    std::array<PhysicalRegister, kMaxLanes> versions;
    unsigned count = 0;
  };
  Reads read_by(LaneMask lanes) const;
  const RegisterTag& tag(PhysicalRegister physical) const { return states_[physical].tag; }

  /// `physical` holds the new flags of the path.
  Renaming write(PathId path, PhysicalRegister physical);

  /// In program order. What the write dropped is free.
  void commit(const Renaming& renaming, FreeList& free);
  /// Youngest first.
  void undo(const Renaming& renaming);

  /// What some lane reads, the oldest first; and what writes in flight have dropped, which nobody younger reads.
  std::span<const PhysicalRegister> versions() const { return versions_; }
  const NumberedQueue<PhysicalRegister>& dropped() const { return dropped_; }
  /// "p16, h1 p20, 0011 p22": oldest first.
  std::string describe() const;

 private:
  struct State {
    RegisterTag tag;
    std::uint64_t age = 0;
  };
  LaneMask lanes_of(std::size_t version) const;

  const PathTable& paths_;
  std::vector<State> states_;                // by physical register
  std::vector<PhysicalRegister> versions_;   // oldest first
  NumberedQueue<PhysicalRegister> dropped_;  // by writes in flight, in their order
  std::uint64_t age_ = 1;                    // of the next write; 0: what threads begin with
};

}  // namespace warpfork::ooo
