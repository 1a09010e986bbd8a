// What a CPU core tells of the µops on their way through it.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "ooo/branch_record.h"
#include "ooo/fetched.h"
#include "ooo/paths/path_table.h"
#include "ooo/rename/pirat.h"
#include "ooo/rename/renamed_uop.h"
#include "ooo/wait_cause.h"

namespace warpfork::ooo {

/// Hears what becomes of instructions and µops, in the order in which it happens: cycles never go back, and a warp's
/// µops enter and commit in program order on an out-of-order core.
///
/// An instruction is known by its number in its warp's front end (one that was taken back leaves its number to
/// another), a µop by a number that no other µop of the core ever has, ascending. References are valid during the call.
class CoreListener {
 public:
  struct Fetch {
    Cycle at;
    unsigned warp;
    std::uint64_t number;
    const Fetched& instruction;
    const BranchRecord* branch = nullptr;  ///< null: it has no role
  };
  /// A µop leaves the fetch buffer: it is renamed or, on a core that does not rename, issued.
  struct Entry {
    Cycle at;
    unsigned warp;
    std::uint64_t instruction, uop;
    const Fetched& fetched;
    const x86::Uop* operation = nullptr;  ///< null: a merge, a cuop, or threads that part at an event
    const RenamedUop* renamed = nullptr;  ///< null: a merge, or not renamed; its merges are told as µops of their own
    const Merge* merge = nullptr;         ///< null: not a merge
    const Pirat* table = nullptr;         ///< null: not renamed
  };
  struct Issue {
    Cycle at;
    std::uint64_t uop;
    Cycle done;  ///< what depends on it may issue from then on
    WaitCause waited = WaitCause::Nothing;
  };
  struct Commit {
    Cycle at;
    unsigned warp;
    std::uint64_t uop;
    LaneMask lanes;                ///< that its path has in the end; of a merge by a path: that select `leading`
    const Pirat* table = nullptr;  ///< before the commit; null: not renamed
  };

  struct Resolution {
    Cycle at;
    unsigned warp;
    std::uint64_t instruction;
    const BranchRecord& branch;
    const PathTable& paths;
  };

  virtual ~CoreListener() = default;

  /// Before all else, for each warp. `table` is null if the core does not rename.
  virtual void started(unsigned /*warp*/, const PathTable& /*paths*/, const Pirat* /*table*/) {}
  /// Threads begin in these lanes of the warp, in the place of others that have ended. Nothing of it is in flight.
  virtual void began(unsigned /*warp*/, LaneMask /*lanes*/) {}
  virtual void fetched(const Fetch&) {}
  virtual void entered(const Entry&) {}
  virtual void issued(const Issue&) {}
  /// A buop or cuop has computed its masks, which its path table now holds.
  virtual void resolved(const Resolution&) {}
  /// A core that does not rename tells this together with the issue: nothing takes the µop back.
  virtual void committed(const Commit&) {}
  /// An instruction is taken back, with those of its µops that have entered and not committed. Where µops are renamed
  /// it is the warp's youngest.
  virtual void flushed(Cycle /*at*/, unsigned /*warp*/, std::uint64_t /*instruction*/) {}
};

}  // namespace warpfork::ooo
