// What a machine description says about a CPU core: Table I of SIMT-X, and what the table leaves open.
#pragma once

#include <string>

#include "base/range.h"

namespace warpfork::ooo {

/// Far beyond any core, and what a simulation of it still has room and time for.
inline constexpr Range kCycles = {0, 1 << 20}, kQueueEntries = {1, 1 << 16}, kUnitCount = {1, 64};

/// Latencies in core cycles, from issue to the cycle in which a dependent µop may issue. SIMT-X names no latencies of
/// its functional units: these are those of the Intel cores that its Table I is "based on" (Haswell, Intel's
/// optimisation manual, appendix C).
struct LatencySpec {
  unsigned integer = 1, multiply = 3, divide = 26, branch = 1, vector = 1, float_add = 3, float_multiply = 5,
           float_divide = 14, store = 1, merge = 1;

  template <class Visit>
  void visit(Visit&& v) {
    v("integer", integer, "cycles of an integer operation", kCycles);
    v("multiply", multiply, "cycles of an integer multiplication", kCycles);
    v("divide", divide, "cycles of an integer division; the unit takes no other meanwhile", kCycles);
    v("branch", branch, "cycles of a branch", kCycles);
    v("vector", vector, "cycles of an SSE or AVX operation that is no floating-point arithmetic", kCycles);
    v("float_add", float_add, "cycles of a floating-point addition or comparison", kCycles);
    v("float_multiply", float_multiply, "cycles of a floating-point multiplication, fused with an addition or not",
      kCycles);
    v("float_divide", float_divide,
      "cycles of a floating-point division or square root; the unit takes no other meanwhile", kCycles);
    v("store", store, "cycles from a store's issue until a load may take its data over", kCycles);
    v("merge", merge, "cycles of a µop that merges two registers or computes a path's mask", kCycles);
  }
};

/// Table I, rows Fetch & Decode, Rename, Issue, Functional Units, Commit.
struct PipelineSpec {
  unsigned fetch_width = 4, fetch_buffer = 64, front_end_depth = 6, rename_width = 4, issue_width = 4, issue_queue = 60,
           load_store_queue = 114, reorder_buffer = 192, commit_width = 4, integer_registers = 168,
           vector_registers = 168, path_entries = 0, memory_ports = 1, branch_units = 1, multiply_units = 1,
           integer_units = 4, vector_units = 2;
  unsigned added_integer_registers = 0, added_vector_registers = 0;  ///< of those above, what the core added: no keys

  template <class Visit>
  void visit(Visit&& v) {
    v("fetch_width", fetch_width, "instructions (key widths) fetched and decoded in a cycle, all of one path",
      kQueueEntries);
    v("fetch_buffer", fetch_buffer, "µops between fetch and rename, shared evenly by the warps", kQueueEntries);
    v("front_end_depth", front_end_depth, "cycles from fetch to rename", {0, kQueueEntries.most});
    v("rename_width", rename_width, "µops (key widths) renamed in a cycle", kQueueEntries);
    v("issue_width", issue_width, "µops (key widths) issued in a cycle", kQueueEntries);
    v("issue_queue", issue_queue, "µops that may wait for their operands", kQueueEntries);
    v("load_store_queue", load_store_queue, "loads and stores between rename and commit", kQueueEntries);
    v("reorder_buffer", reorder_buffer, "µops between rename and commit", kQueueEntries);
    v("commit_width", commit_width, "µops (key widths) committed in a cycle", kQueueEntries);
    v("integer_registers", integer_registers, "physical integer registers, each as wide as a warp", kQueueEntries);
    v("vector_registers", vector_registers, "physical vector registers, each as wide as a warp", kQueueEntries);
    v("path_entries", path_entries, "entries of a warp's path table; 0: two for each thread, at least 8 (section 4.5)",
      {0, 4096});
    v("memory_ports", memory_ports, "load/store units", kUnitCount);
    v("branch_units", branch_units, "branch units", kUnitCount);
    v("multiply_units", multiply_units, "units for integer multiplication and division", kUnitCount);
    v("integer_units", integer_units, "integer units, one per lane of a warp each", kUnitCount);
    v("vector_units", vector_units, "SSE, AVX and floating-point units", kUnitCount);
  }
};

/// Table I, row Memory.
struct DataMemorySpec {
  unsigned line_bytes = 64, l1_kilobytes = 32, l1_ways = 16, l1_latency = 2, l2_kilobytes = 4096, l2_ways = 16,
           l2_latency = 15, memory_latency = 215, mshrs = 0, store_buffer = 0, tlb_entries = 64, tlb_ways = 4,
           tlb_miss_latency = 30;
  unsigned gigabytes_per_second_times_10 = 20, megahertz = 2000;

  template <class Visit>
  void visit(Visit&& v) {
    v("line_bytes", line_bytes, "bytes of a cache line, a power of two", {32, 4096});
    v("l1_kilobytes", l1_kilobytes, "size of the L1 data cache", {1, 1 << 20});
    v("l1_ways", l1_ways, "lines of a set of the L1", {1, 4096});
    v("l1_latency", l1_latency, "cycles of an L1 hit", kCycles);
    v("l2_kilobytes", l2_kilobytes, "size of the L2", {1, 1 << 20});
    v("l2_ways", l2_ways, "lines of a set of the L2", {1, 4096});
    v("l2_latency", l2_latency, "cycles of an L2 hit", kCycles);
    v("memory_latency", memory_latency, "cycles of an L2 miss when memory is idle", kCycles);
    v("mshrs", mshrs, "lines that may be on their way to the L1 at a time; 0: any number", {0, 4096});
    v("store_buffer", store_buffer, "stores of the core that may wait for their lines at a time; 0: any number",
      {0, 4096});
    v("tlb_entries", tlb_entries, "entries of the data TLB that each lane of a warp has", {1, 1 << 16});
    v("tlb_ways", tlb_ways, "ways of a TLB", {1, 4096});
    v("tlb_miss_latency", tlb_miss_latency, "cycles of a page walk", kCycles);
    v("gigabytes_per_second_times_10", gigabytes_per_second_times_10, "memory bandwidth of the core, tenths of a GB/s",
      {1, 1 << 20});
    v("megahertz", megahertz, "core clock: what the bandwidth means in cycles", {1, 100000});
  }
};

}  // namespace warpfork::ooo
