// An instruction on its way from fetch to commit, for all lanes that execute it together.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "ooo/paths/lane_mask.h"
#include "ooo/paths/path_id.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

enum class Role : std::uint8_t {
  Plain,            ///< goes on where it was predicted to go
  Branch,           ///< predicted uniform: if a lane goes elsewhere, what is younger is flushed
  DivergentBranch,  ///< predicted divergent: a buop, or, without an instruction, lanes that wait part from the others
  Convergence,      ///< a cuop; there is no instruction
};

inline constexpr unsigned kRepeatBytes = 32;  ///< of a rep instruction's data that one load or store moves

/// Bytes of each lane's access by a load or store µop of the instruction.
inline unsigned access_bytes(const x86::StaticInstruction& instruction, const x86::Uop& uop) {
  return instruction.repeats ? kRepeatBytes : instruction.accesses[uop.access].bytes;
}

/// A line of the host's cache.
struct alignas(64) Fetched {
  const x86::StaticInstruction* instruction = nullptr;
  LaneMask lanes = 0;           ///< those that really execute it; none: a wrong path
  std::uint64_t addresses = 0;  ///< AddressQueue: where its accesses begin
  Cycle decoded = 0;            ///< may be renamed from this cycle on
  std::uint64_t branch = 0;     ///< of the roles but Plain: number of its BranchRecord
  std::uint32_t repeats = 1;    ///< how often the instruction's µops run: more than once for rep movs and its kin
  std::uint32_t uops = 1;       ///< of the instruction; of paths that meet or part: one. A repeated one's count once
  std::uint32_t depth = 0;      ///< of calls, where it ends its path
  PathId path = kNoPath;
  Role role = Role::Plain;
  bool ends_path = false;  ///< the last instruction of its threads
  bool resolved = false;   ///< of the roles but Plain: it is known where the lanes go
};

/// Whether its lanes may turn out to leave for several places: then it is fetched again.
inline bool branches(const Fetched& fetched) {
  return fetched.role != Role::Plain && fetched.instruction != nullptr &&
         fetched.instruction->branch != x86::BranchKind::None;
}

}  // namespace warpfork::ooo
