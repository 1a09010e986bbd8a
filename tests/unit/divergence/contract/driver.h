// Runs a program on a divergence domain under a random scheduler, as a core would, and checks the contract at every
// step.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "divergence/divergence_domain.h"
#include "divergence/registry.h"
#include "flow_program.h"

namespace warpfork::contract {

/// How often each (warp, pc, lanes) was issued; of a compacted split, the place in which it ran and all its lanes.
using IssueCounts = std::map<std::tuple<WarpId, Pc, std::uint32_t>, unsigned>;

/// Threads of a block by home warp.
using Threads = std::vector<HomeLanes>;

class Driver {
 public:
  /// `lanes` by warp. `max_splits` as given to the domain, 0 = no limit; `mechanism` is the domain's entry in the
  /// registry.
  Driver(const FlowProgram& program, DivergenceDomain& domain, std::vector<ActiveMask> lanes, std::uint64_t seed,
         unsigned max_splits, const DivergenceMechanism& mechanism);

  /// At some instructions threads wait for others of their warp, whoever that may be, if the domain gathers threads.
  void let_threads_name_others() { names_others_ = domain_.gathers(); }

  /// Throws std::runtime_error with program and tables at the first difference from the oracle or broken promise.
  IssueCounts run();

 private:
  /// At a branch these threads, one split then, may have parted: whichever of them comes to `pc` next must come
  /// together with all the others that have not exited (the definition of IPDOM reconvergence, MULTIPATH section 2.2).
  struct Reconvergence {
    Pc pc;
    Threads threads;
  };
  /// What was runnable in a warp's place when it was last named as changed.
  struct Seen {
    std::vector<WarpSplit> splits;
    std::vector<Threads> threads;
    bool finished = false;
  };

  bool issue_one();
  void execute(SplitId id);
  void move_on(SplitId id);
  void open_barrier();
  bool comes_to_others(const WarpSplit& split);
  void meet(WarpId warp, SlotSet slots);
  void gather();
  Threads threads_of(const WarpSplit& split) const;
  std::vector<Path> paths_of(const WarpSplit& split) const;
  void expect_reconvergence(const WarpSplit& split, std::span<const Path> paths);
  void check_reconvergences(const WarpSplit& split);
  bool meet_already(const Threads& threads, Pc reconvergence) const;
  void accept(const DomainEffects& effects);
  void count_compactions(const DomainEffects& effects);
  void check_runnable(WarpId warp);
  void check_homes(const WarpSplit& split) const;
  Seen look(WarpId warp) const;
  Pc next_pc(WarpId home, unsigned lane) const;
  [[noreturn]] void fail(WarpId warp, const std::string& what) const;

  const FlowProgram& program_;
  DivergenceDomain& domain_;
  std::vector<FrontierPlace> order_;  // of the instructions
  std::vector<ActiveMask> lanes_;
  std::mt19937_64 random_;
  unsigned max_splits_;
  const DivergenceMechanism& mechanism_;
  std::vector<std::vector<Pc>> traces_;  // by thread: the oracle's
  std::vector<std::size_t> positions_;   // by thread: instructions executed
  std::vector<ActiveMask> live_;         // by warp
  std::vector<SplitId> waiting_;         // at the barrier
  bool names_others_ = false;
  std::vector<SlotSet> awaiting_, have_met_;  // by warp: slots that wait for others, and those that do not wait since
  std::vector<Reconvergence> expected_;       // oldest first
  std::vector<Seen> seen_;                    // by warp
  unsigned not_judged_ = 0;                   // warps that did not wait at a branch (see Compaction)
  IssueCounts counts_;
};

}  // namespace warpfork::contract
