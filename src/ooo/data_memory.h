// The data side of a CPU core: banked L1, TLBs, L2 and a memory of limited bandwidth (SIMT-X section 3.10 and Table I).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "memory/tag_array.h"
#include "ooo/core_spec.h"
#include "ooo/paths/lane_mask.h"
#include "ooo/timed_entries.h"

namespace warpfork::ooo {

struct DataMemoryCounts {
  std::uint64_t accesses = 0;        ///< by lanes
  std::uint64_t requests = 0;        ///< of lines, after lanes with the same line have been merged
  std::uint64_t bank_conflicts = 0;  ///< cycles that µops took longer since lines shared a bank
  std::uint64_t l1_misses = 0, l2_accesses = 0, l2_misses = 0, tlb_misses = 0, write_backs = 0;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("accesses", accesses, "accesses", "by threads");
    v.count("requests", requests, "requests", "of lines, after threads with the same line have been merged");
    v.count("bank_conflicts", bank_conflicts, "cycles", "that µops took longer since lines shared a bank");
    v.count("l1_misses", l1_misses, "requests", "of lines that the L1 did not hold");
    v.count("l2_accesses", l2_accesses, "requests", "that came to the L2");
    v.count("l2_misses", l2_misses, "requests", "of these, those of lines that it did not hold");
    v.count("tlb_misses", tlb_misses, "accesses", "of pages that the thread's TLB did not hold");
    v.count("write_backs", write_backs, "lines", "dirty, written back to memory");
  }
};

/// Every access is told at once when its data will be there: the caches' contents and the memory's schedule are state,
/// time comes with the call. Calls come in order of time.
class DataMemory {
 public:
  /// `lanes`: of a warp; the L1 has a bank, and the core a TLB, for each.
  DataMemory(const DataMemorySpec& spec, unsigned lanes);

  struct Answer {
    Cycle ready = 0;     ///< all lanes' data are there
    unsigned slots = 1;  ///< cycles in which the µop occupies the memory port
  };
  /// One load or store µop of a warp: `addresses` holds one of `bytes` bytes for each of the lanes, lowest first.
  Answer access(std::span<const std::uint64_t> addresses, LaneMask lanes, unsigned bytes, bool store, Cycle now);

  const DataMemoryCounts& counts() const { return counts_; }

 private:
  void request(std::uint64_t line);
  Cycle translate(unsigned lane, std::uint64_t address);
  unsigned bank_of(std::uint64_t line) const;
  Cycle line_ready(std::uint64_t line, bool store, Cycle now);
  Cycle below_l1(std::uint64_t line, Cycle now);
  void write_back(std::uint64_t line, Cycle now);
  Cycle memory_transfer(Cycle now);

  DataMemorySpec spec_;
  unsigned line_shift_;
  Cycle line_cycles_;  // of the memory's bandwidth that a line takes
  memory::TagArray l1_, l2_;
  std::vector<memory::TagArray> tlbs_;  // by lane
  std::vector<Cycle> l1_ready_;         // by place of the L1: when its line has come
  std::vector<Cycle> l2_ready_;         // by place of the L2: likewise, at the core
  std::vector<std::uint64_t> lines_;    // of the current µop
  std::vector<unsigned> bank_load_;     // by bank, of the current µop
  TimedEntries mshrs_;
  Cycle memory_free_ = 0;
  DataMemoryCounts counts_;
};

}  // namespace warpfork::ooo
