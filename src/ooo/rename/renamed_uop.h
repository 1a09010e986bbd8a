// What renaming makes of a µop: physical registers, and merge µops around it (SIMT-X 3.5.3 and 3.8.1).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ooo/paths/lane_mask.h"
#include "ooo/paths/path_id.h"
#include "ooo/rename/physical_register.h"

namespace warpfork::ooo {

/// What an architectural register is mapped to: Main, and Leading Divergent (LDiv) for the lanes of a path or mask.
struct RegisterPair {
  PhysicalRegister main = kNoRegister, leading = kNoRegister;
  constexpr bool operator==(const RegisterPair&) const = default;
};

/// One register taken from the free list and what that did to one architectural register. The reorder buffer keeps it
/// until it tells Pirat::commit or Pirat::undo. A µop and its merges are undone together.
struct Renaming {
  x86::RegisterId architectural = 0;
  PathId path = kNoPath;  ///< of the writer; kNoPath: a merge µop, which writes all lanes (of the flags: the reader's)
  PhysicalRegister physical = kNoRegister;
  RegisterPair before, after;
  RegisterPair released;     ///< by its commit: nobody younger reads them
  std::uint8_t dropped = 0;  ///< of the flags: so many versions are released likewise
};

/// A merge µop: physical ← main outside of the lanes, leading within. The lanes are those of the path (the µop waits
/// until it is resolved, and holds a reference to it until it commits) or, if there is none, the mask.
struct Merge {
  Renaming renaming;
  PathId path = kNoPath;
  LaneMask mask = 0;

  PhysicalRegister main() const { return renaming.before.main; }
  PhysicalRegister leading() const { return renaming.before.leading; }
};

struct RenamedUop {
  static constexpr unsigned kMaxSources = 4, kMaxDestinations = 2;

  std::uint8_t source_count = 0, destination_count = 0, merge_count = 0, late_merge_count = 0;
  std::array<PhysicalRegister, kMaxSources> sources{};
  std::array<Renaming, kMaxDestinations> destinations{};
  std::array<Merge, kMaxSources + kMaxDestinations + kMaxLanes> merges{};  ///< come before the µop, in this order
  std::array<Merge, kMaxDestinations> late_merges{};                       ///< come after it

  void clear() { source_count = destination_count = merge_count = late_merge_count = 0; }
  std::span<const PhysicalRegister> read() const { return {sources.data(), source_count}; }
  std::span<const Renaming> written() const { return {destinations.data(), destination_count}; }
  std::span<const Merge> merges_before() const { return {merges.data(), merge_count}; }
  std::span<const Merge> merges_after() const { return {late_merges.data(), late_merge_count}; }
};

}  // namespace warpfork::ooo
