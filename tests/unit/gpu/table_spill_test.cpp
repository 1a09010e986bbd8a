// Reconvergence tables of limited size: what their entries' way to memory costs (MULTIPATH section 3.3.1).
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace table_spill_test {

/// MULTIPATH Figure 6 in one warp of four threads.
Kernel figure_6() {
  return Kernel(R"(
      and.b32 %r2, %thread, 1;
      setp.eq.u32 %p0, %r2, 0;
      setp.eq.u32 %p1, %thread, 1;
      @%p0 bra B;
      @%p1 bra D;
      xor.b32 %r3, %r3, 8;
      bra F;
    D:
      xor.b32 %r3, %r3, 4;
      xor.b32 %r3, %r3, 4;
      xor.b32 %r3, %r3, 4;
    F:
      xor.b32 %r3, %r3, 16;
      bra G;
    B:
      xor.b32 %r3, %r3, 2;
    G:
      st.global.u32 [%mine], %r3;
      ret;)",
                {}, {4, 1, 1}, 4);
}

report::LaunchRecord run(const Kernel& kernel, unsigned entries) {
  MachineSpec spec = one_core("multi-path");
  spec.divergence.reconvergence_entries = entries;
  return kernel.run(spec);
}

// G goes to memory when F comes; whichever of them lanes come to next, it ends with G coming back for the last ones.
TEST(TableSpill, entries_go_through_the_l1_data_cache_like_local_memory) {
  const Kernel kernel = figure_6();
  const report::LaunchRecord roomy = run(kernel, 2), tight = run(kernel, 1);
  EXPECT_EQ(roomy.tables.spills, 0u);
  EXPECT_EQ(roomy.tables.fills, 0u);
  EXPECT_GE(tight.tables.spills, 1u);
  EXPECT_EQ(tight.tables.fills, tight.tables.spills);
  EXPECT_EQ(tight.tables.bytes, 16 * (tight.tables.spills + tight.tables.fills));
  EXPECT_EQ(tight.memory.caches.l1d.accesses - roomy.memory.caches.l1d.accesses,
            tight.tables.spills + tight.tables.fills);
}

TEST(TableSpill, a_warp_waits_for_an_entry_that_comes_back_with_a_structural_hazard) {
  const Kernel kernel = figure_6();
  const report::LaunchRecord roomy = run(kernel, 2), tight = run(kernel, 1);
  const auto structural = [](const report::LaunchRecord& record) {
    return record.thread_cycles[static_cast<unsigned>(report::ThreadState::StructuralHazard)];
  };
  EXPECT_GT(tight.cycles, roomy.cycles);
  EXPECT_GT(structural(tight), structural(roomy));
  EXPECT_EQ(tight.warp_instructions, roomy.warp_instructions);
}

TEST(TableSpill, results_are_those_of_a_table_with_room) {
  const Kernel kernel = figure_6();
  run(kernel, 0);
  const std::vector<std::uint32_t> expected = kernel.out();
  kernel.clear_out();
  run(kernel, 1);
  EXPECT_EQ(kernel.out(), expected);
  EXPECT_EQ(expected, (std::vector<std::uint32_t>{2, 4 ^ 16, 2, 8 ^ 16}));
}

// Two branches deep: three splits (B, D, E) and two reconvergence points (G, F); section 6.6, Figure 19.
TEST(TableSpill, the_largest_use_of_both_tables_is_reported) {
  const report::LaunchRecord record = run(figure_6(), 0);
  EXPECT_EQ(record.tables.split_entries, 3u);
  EXPECT_EQ(record.tables.reconvergence_entries, 2u);
  EXPECT_EQ(figure_6().run(one_core("pdom")).tables.split_entries, 0u);
}

}  // namespace table_spill_test
}  // namespace warpfork::gpu
