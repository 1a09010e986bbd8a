// What a CPU core counts.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "ooo/cycle_cause.h"
#include "ooo/data_memory.h"
#include "ooo/front_counts.h"
#include "ooo/operation_counts.h"
#include "ooo/rename_stalls.h"

namespace warpfork::ooo {

/// visit() names every key in the order in which results write it, with unit and definition (report/record_visitor.h
/// says which visitors there are).
struct CoreCounts {
  Cycle cycles = 0;
  std::array<std::uint64_t, kCycleCauses> warp_cycles{};  ///< by cause; they sum up to cycles × warps
  FrontCounts front;
  DataMemoryCounts memory;
  OperationCounts operations;  ///< of issued µops, those of wrong paths for all lanes of their mask
  std::uint64_t uops = 0;      ///< committed, merges and path µops among them
  std::uint64_t merges = 0;    ///< merge µops committed
  std::uint64_t issued = 0;    ///< µops issued, those that are flushed later among them
  std::uint64_t flushed = 0;   ///< µops taken back after a misprediction
  RenameStalls stalls;

  /// Instructions of all threads per cycle.
  double ipc() const {
    return cycles == 0 ? 0 : static_cast<double>(front.thread_instructions) / static_cast<double>(cycles);
  }
  /// Mean number of threads that execute an instruction together.
  double occupancy() const {
    return front.instructions == 0
               ? 0
               : static_cast<double>(front.thread_instructions) / static_cast<double>(front.instructions);
  }

  template <class Visitor>
  void visit(Visitor&& v);

 private:
  template <class Visitor>
  void visit_branches(Visitor&& v);
};

template <class Visitor>
void CoreCounts::visit(Visitor&& v) {
  v.count("cycles", cycles, "cycles", "until the last thread has ended");
  v.count("instructions", front.instructions, "instructions",
          "each counted once for all threads that execute it together");
  v.count("thread_instructions", front.thread_instructions, "instructions", "sum over threads: the recording's");
  v.rate("ipc", ipc(), "instructions per cycle", "`thread_instructions` / `cycles`");
  v.rate("occupancy", occupancy(), "threads", "`thread_instructions` / `instructions`");
  v.count("uops", uops, "µops",
          "with merges, buops and cuops, and those of wrong paths that were not flushed. In `ditva` paths meet, and "
          "part at a lock or barrier, without a µop");
  v.count("merges", merges, "µops", "that merge two registers");
  v.count("convergences", front.convergences, "µops", "cuops: two paths became one");
  v.count("issued", issued, "µops", "issued, later flushed or not");
  v.count("flushed", flushed, "µops", "taken back after they were renamed");
  v.group("operations", operations,
          "of lanes on 64 bits, of issued µops; those of wrong paths for all lanes of their mask: see below");
  visit_branches(v);
  v.group("warp_cycles", NamedCounts<kCycleCauses>{warp_cycles, kCycleCauseKeys, "cycles of a warp"},
          "by what its oldest µop that has not committed (in order: issued) does; they sum up to `cycles` × warps: see "
          "below");
  v.group("stalls", stalls, "in which renaming stopped: see below");
  v.group("memory", memory, "the data side: see below");
}

template <class Visitor>
void CoreCounts::visit_branches(Visitor&& v) {
  v.count("branches", front.branches, "instructions",
          "that may go more than one way: conditional and indirect ones, returns");
  v.count("divergent_branches", front.divergent_branches, "instructions", "of which threads went different ways");
  v.count("predicted_divergent", front.predicted_divergent, "instructions", "that became buops");
  v.count("branch_mispredictions", front.branch_mispredictions, "instructions",
          "no thread went where it was predicted");
  v.count("missed_divergences", front.missed_divergences, "flushes", "predicted uniform, but divergent");
}

}  // namespace warpfork::ooo
