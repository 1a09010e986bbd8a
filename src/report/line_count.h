// What a launch's instructions cost, one by one: where the lines of its source lose time (docs/why-slow.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/named_counts.h"
#include "base/types.h"
#include "report/code_block.h"
#include "report/ratio.h"
#include "report/source_line.h"
#include "report/stall_cause.h"

namespace warpfork::report {

/// One PTX instruction of a kernel.
struct LineCount {
  Pc pc = 0;
  unsigned ptx_line = 0;
  SourceLine source;
  std::string kind, ptx;
  std::uint64_t issues = 0, thread_instructions = 0, lost_lane_slots = 0;
  std::array<std::uint64_t, kStallCauses> stalls{};
  std::uint64_t awaited = 0;
  std::uint64_t requests = 0, transactions = 0, excess_transactions = 0;
  std::uint64_t shared_requests = 0, conflict_rounds = 0;
  std::uint64_t misses = 0;

  double transactions_per_request() const { return ratio(transactions, requests); }
  double rounds_per_request() const { return ratio(shared_requests + conflict_rounds, shared_requests); }

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kKinds[] = {"arithmetic", "load", "store",   "atomic",
                                             "branch",     "exit", "barrier", "memory_barrier"};
    v.fact("pc", pc, "index", "of the instruction in the kernel");
    v.fact("ptx_line", ptx_line, "line number", "of the instruction in the PTX text");
    v.fact("file", source.file, "text", "of its CUDA line from `.loc`, without the folder; empty = not known");
    v.fact("line", source.line, "line number", "there; 0 = not known");
    v.fact("kind", kind, "text", "what the core must do with it", kKinds);
    v.fact("ptx", ptx, "text", "the instruction itself");
    v.count("issues", issues, "warp instructions", "issued at this PC");
    v.count("thread_instructions", thread_instructions, "thread instructions", "their active lanes");
    v.count("lost_lane_slots", lost_lane_slots, "lane-slots",
            "their lanes that were not active: over all PCs what `simd_efficiency` lacks");
    v.group("stalled", NamedCounts<kStallCauses>{stalls, kStallCauseKeys, "scheduler cycles"},
            "without an issue while a warp stood before this instruction and was nearest to issuing, by cause; where "
            "several were as near they share the cycles. `no_warp` has no line, and of `compaction` only the time in "
            "the compaction unit");
    v.count(
        "awaited", awaited, "scheduler cycles",
        "in which warps were stalled by `memory`, here or elsewhere, for the answer to this load or atomic; where one "
        "waits for several, they share the cycles");
    v.count("requests", requests, "warp instructions",
            "that asked for memory other than shared memory, by at least one lane");
    v.count("transactions", transactions, "transactions", "that these needed");
    v.count("excess_transactions", excess_transactions, "transactions",
            "of these, those beyond what as many bytes side by side would have needed, 128 in one");
    v.rate("transactions_per_request", transactions_per_request(), "transactions", "mean over `requests`");
    v.count("shared_requests", shared_requests, "warp instructions",
            "that asked for shared memory; 0 on temporal lanes");
    v.count("conflict_rounds", conflict_rounds, "rounds",
            "that these took beyond the first one each, because lanes asked a bank for different words");
    v.rate("rounds_per_request", rounds_per_request(), "rounds", "mean over `shared_requests`: n = an n-way conflict");
    v.count("misses", misses, "transactions",
            "reads that the first cache they came to (L1 data, texture or constant cache) did not hold");
  }
};

/// All that were issued or waited for; empty where nobody asked.
struct LineCounts {
  std::vector<LineCount> instructions;  // by PC
  std::vector<CodeBlock> blocks;        // in the order of the text

  bool empty() const { return instructions.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.list("instructions", instructions, "one entry for each instruction that was issued, by PC; see below");
    v.list("blocks", blocks, "the kernel's basic blocks, in the order of the text; see below");
  }
};

}  // namespace warpfork::report
