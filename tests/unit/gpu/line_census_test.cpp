// What each instruction costs, counted by hand for kernels of known instructions.
#include "gpu/line_census.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/gpu/gtx480_spec.h"
#include "unit/gpu/kernel.h"

namespace warpfork::gpu {
namespace line_census_test {

using report::LineCount;

LaunchOptions counting_lines() {
  LaunchOptions options;
  options.counts_lines = true;
  return options;
}

report::LaunchRecord run(const Kernel& kernel, const MachineSpec& spec = one_core()) {
  return kernel.run(spec, counting_lines());
}

/// The only instruction whose text holds this.
LineCount line(const report::LaunchRecord& record, const char* text) {
  const auto found = std::ranges::find_if(
      record.lines.instructions, [&](const LineCount& one) { return one.ptx.find(text) != std::string::npos; });
  return found == record.lines.instructions.end() ? LineCount{} : *found;
}

/// A store of each thread, so many bytes behind that of the one before.
Kernel store(const char* stride, Dim3 block = {32, 1, 1}) {
  return {"mul.wide.u32 %d1, %thread, " + std::string(stride) + ";\nadd.u64 %d1, %d1, %out;\n" +
              "st.global.u32 [%d1], %thread;\nret;",
          {1, 1, 1},
          block};
}

/// Likewise to shared memory.
Kernel shared_store(const char* stride) {
  return {"mul.lo.u32 %r3, %thread, " + std::string(stride) + ";\nmov.u32 %r4, tile;\nadd.u32 %r3, %r3, %r4;\n" +
              "st.shared.u32 [%r3], %thread;\nret;",
          {1, 1, 1},
          {32, 1, 1},
          4096,
          ".shared .b8 tile[4096];"};
}

// No thread takes the branch: its target stands there nevertheless, behind what follows the branch.
TEST(LineCensus, has_the_control_flow_graph_with_what_was_not_executed) {
  const Kernel kernel(
      "setp.ge.u32 %p1, %thread, 64;\n@%p1 bra LATE;\nbra.uni END;\nLATE: st.global.u32 [%mine], %thread;\n"
      "END: ret;",
      {1, 1, 1}, {32, 1, 1});
  const std::vector<report::CodeBlock> blocks = run(kernel).lines.blocks;
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].successors, (std::vector<Pc>{blocks[2].pc, blocks[1].pc}));
  EXPECT_EQ(blocks[0].reconvergence, (std::vector<Pc>{blocks[3].pc}));
  EXPECT_EQ(blocks[2].ptx.size(), 1u);
  EXPECT_TRUE(blocks[3].successors.empty() && blocks[3].reconvergence.empty());
}

TEST(LineCensus, counts_nothing_that_nobody_asks_for) { EXPECT_TRUE(store("4").run(one_core()).lines.empty()); }

// 32 words side by side are one transaction of 128 bytes; 128 bytes apart each needs its own.
TEST(LineCensus, counts_transactions_and_those_that_coalescing_would_save) {
  const LineCount narrow = line(run(store("4")), "st.global"), wide = line(run(store("128")), "st.global");
  EXPECT_EQ(narrow.requests, 1u);
  EXPECT_EQ(narrow.transactions, 1u);
  EXPECT_EQ(narrow.excess_transactions, 0u);
  EXPECT_EQ(wide.requests, 1u);
  EXPECT_EQ(wide.transactions, 32u);
  EXPECT_EQ(wide.excess_transactions, 31u);
  EXPECT_EQ(wide.kind, "store");
}

// 32 banks of 4 bytes: words 128 bytes apart lie in one bank, 31 rounds more than for words side by side.
TEST(LineCensus, counts_the_rounds_that_bank_conflicts_cost) {
  EXPECT_EQ(line(run(shared_store("4")), "st.shared").conflict_rounds, 0u);
  const LineCount conflict = line(run(shared_store("128")), "st.shared");
  EXPECT_EQ(conflict.shared_requests, 1u);
  EXPECT_EQ(conflict.conflict_rounds, 31u);
  EXPECT_EQ(conflict.requests, 0u);
}

TEST(LineCensus, counts_loads_that_missed_and_no_stores) {
  const Kernel kernel("ld.global.u32 %r2, [%mine];\nst.global.u32 [%mine], %r2;\nret;", {1, 1, 1}, {64, 1, 1});
  const report::LaunchRecord record = run(kernel);
  EXPECT_EQ(line(record, "ld.global").misses, 2u);  // two warps, a line each, on a cold cache
  EXPECT_EQ(line(record, "st.global").misses, 0u);
}

std::uint64_t stalled_by_memory(const LineCount& line) {
  return line.stalls[static_cast<unsigned>(report::StallCause::Memory)];
}

TEST(LineCensus, counts_how_long_warps_wait_for_a_load_where_it_stands) {
  const report::LaunchRecord record = run(
      {"ld.global.u32 %r2, [%mine];\nadd.u32 %r3, %r2, 1;\nst.global.u32 [%mine], %r3;\nret;", {1, 1, 1}, {64, 1, 1}});
  EXPECT_GT(line(record, "ld.global").awaited, 100u);
  EXPECT_EQ(line(record, "ld.global").awaited, stalled_by_memory(line(record, "add.u32")));
  EXPECT_EQ(line(record, "add.u32").awaited, 0u);
}

TEST(LineCensus, shares_out_a_wait_for_two_loads) {
  const report::LaunchRecord record =
      run(Kernel{"ld.global.u32 %r2, [%mine];\natom.global.add.u32 %r3, [%out], 1;\nadd.u32 %r2, %r2, %r3;\n"
                 "st.global.u32 [%mine], %r2;\nret;",
                 {1, 1, 1},
                 {32, 1, 1}});
  const std::uint64_t load = line(record, "ld.global").awaited, atomic = line(record, "atom.global").awaited;
  EXPECT_EQ(load + atomic, stalled_by_memory(line(record, "%r2, %r2, %r3")));
  EXPECT_GT(load, 0u);
  EXPECT_GT(atomic, 0u);
}

// Three of four lanes of the second warp hold no thread.
TEST(LineCensus, counts_lanes_that_were_not_active_as_lost) {
  const LineCount stored = line(run(store("4", {40, 1, 1})), "st.global");
  EXPECT_EQ(stored.issues, 2u);
  EXPECT_EQ(stored.thread_instructions, 40u);
  EXPECT_EQ(stored.lost_lane_slots, 24u);
}

TEST(LineCensus, shares_out_every_cycle_without_an_issue_for_which_a_warp_was_there) {
  for (const char* mechanism : {"pdom", "multi-path", "tbc"}) {
    const report::LaunchRecord record = run(if_else("rem.u32 %r2, %thread, 3;"), one_core(mechanism));
    for (unsigned cause = 0; cause + 1 < report::kStallCauses; ++cause) {            // without no_warp
      if (cause == static_cast<unsigned>(report::StallCause::Compaction)) continue;  // threads may be nowhere
      std::uint64_t sum = 0;
      for (const LineCount& one : record.lines.instructions) sum += one.stalls[cause];
      EXPECT_EQ(sum, record.stalls[cause]) << mechanism << ' ' << report::kStallCauseKeys[cause].name;
    }
    std::uint64_t awaited = 0;
    for (const LineCount& one : record.lines.instructions) awaited += one.awaited;
    EXPECT_EQ(awaited, record.stalls[static_cast<unsigned>(report::StallCause::Memory)]) << mechanism;
  }
}

TEST(LineCensus, changes_nothing_that_is_counted_without_it) {
  const Kernel kernel = if_else("rem.u32 %r2, %thread, 3;");
  report::LaunchRecord with = run(kernel);
  with.lines = {};
  EXPECT_EQ(with.cycles, kernel.run(one_core()).cycles);
  EXPECT_EQ(with.stalls, kernel.run(one_core()).stalls);
}

}  // namespace line_census_test
}  // namespace warpfork::gpu
