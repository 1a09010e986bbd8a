// What instructions do to the units, counted by hand for kernels of known instructions.
#include "gpu/activity_census.h"

#include <gtest/gtest.h>

#include "gpu/code_options.h"
#include "unit/gpu/gtx480_spec.h"
#include "unit/gpu/kernel.h"

namespace warpfork::gpu {
namespace activity_census_test {

using report::ActivityCount;
using report::Operation;

const LaunchOptions kCounted = [] {
  LaunchOptions options;
  options.counts_activity = true;
  return options;
}();

MachineSpec with_lanes(const char* organisation) {
  MachineSpec spec = one_core();
  spec.core.lanes.organisation = organisation;
  return spec;
}

ActivityCount activity(const char* body, Dim3 block, const MachineSpec& spec = one_core()) {
  return Kernel(body, {1, 1, 1}, block).run(spec, kCounted).activity;
}

std::uint64_t of(const ActivityCount::Operations& counts, Operation operation) {
  return counts[static_cast<unsigned>(operation)];
}

/// What a kernel with this body does beyond one without.
ActivityCount beyond_nothing(const char* body, Dim3 block, const MachineSpec& spec = one_core()) {
  const ActivityCount without = activity("", block, spec);
  ActivityCount count = activity(body, block, spec);
  count.instructions -= without.instructions;
  count.register_reads -= without.register_reads;
  count.register_writes -= without.register_writes;
  count.results -= without.results;
  return count;
}

TEST(ActivityCensus, counts_nothing_that_nobody_asks_for) {
  EXPECT_TRUE(Kernel("", {1, 1, 1}, {32, 1, 1}).run(one_core()).activity.empty());
}

// 48 threads are a whole warp and half of one.
TEST(ActivityCensus, counts_threads_and_the_places_that_side_by_side_lanes_have_for_them) {
  const ActivityCount count = beyond_nothing("fma.rn.f32 %r2, %r3, %r4, %r5;\n", {48, 1, 1});
  EXPECT_EQ(count.instructions, 2u);
  EXPECT_EQ(of(count.operations, Operation::FloatMultiplyAdd), 48u);
  EXPECT_EQ(of(count.slots, Operation::FloatMultiplyAdd), 64u);
}

// m16n8k16 has 2,048 multiply-adds, 64 a lane.
TEST(ActivityCensus, counts_the_multiply_adds_of_products_of_matrices) {
  const ActivityCount count = beyond_nothing(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r2, %r3, %r4, %r5}, {%r6, %r6, %r6, %r6}, {%r7, %r7}, "
      "{%r2, %r3, %r4, %r5};\n",
      {64, 1, 1});
  EXPECT_EQ(count.instructions, 2u);
  EXPECT_EQ(of(count.operations, Operation::FloatMultiplyAdd), 2u * 2048);
}

// Rows are read whole: three registers of 32 words, twice; a 64-bit register is two; one that occurs twice is read
// once.
TEST(ActivityCensus, reads_whole_rows_of_registers) {
  const ActivityCount narrow = beyond_nothing("fma.rn.f32 %r2, %r3, %r4, %r5;\n", {48, 1, 1});
  EXPECT_EQ(narrow.register_reads, 3u * 64);
  EXPECT_EQ(narrow.register_writes, 64u);
  EXPECT_EQ(narrow.results, 2u);
  const ActivityCount wide = beyond_nothing("add.u64 %d2, %d3, %d3;\n", {32, 1, 1});
  EXPECT_EQ(wide.register_reads, 2u * 32);
  EXPECT_EQ(wide.register_writes, 2u * 32);
}

// By hand as above, whatever places the registers have got: the lists of decoded instructions then hold places.
TEST(ActivityCensus, counts_words_of_allocated_registers_by_their_types) {
  MachineSpec spec = one_core();
  spec.core.register_allocation = "colouring";
  const auto words = [&](const char* body) {
    const Kernel kernel(body, {1, 1, 1}, {32, 1, 1}, 4096, "", code_options(spec));
    return kernel.run(spec, kCounted).activity.register_writes;
  };
  EXPECT_EQ(words("mov.u64 %d2, 7;\nsetp.eq.u64 %p1, %d2, 0;\n") - words(""), 2u * 32);  // unread it is narrowed
  EXPECT_EQ(words("mov.u32 %r2, 7;\n") - words(""), 32u);
  EXPECT_EQ(words("setp.eq.u64 %p1, %out, 0;\n") - words(""), 0u);
}

// A lane executes it for one thread, a scalar unit once; four places side by side are one group.
TEST(ActivityCensus, counts_a_scalar_instruction_once_for_its_warp) {
  for (const auto& [lanes, places] : {std::pair("tsimt", 1u), std::pair("stsimt4", 4u), std::pair("simt-scalar", 1u)}) {
    MachineSpec spec = with_lanes(lanes);
    spec.core.scalarize = "divergent";
    const auto count = [&](const char* body) {
      const Kernel kernel(body, {1, 1, 1}, {32, 1, 1}, 4096, "", code_options(spec));
      return kernel.run(spec, kCounted).activity;
    };
    const ActivityCount with = count("min.f32 %r2, %r3, %r4;\n");
    EXPECT_EQ(of(with.operations, Operation::FloatAdd), 1u) << lanes;
    EXPECT_EQ(of(with.slots, Operation::FloatAdd), places) << lanes;
    EXPECT_EQ(with.register_writes - count("").register_writes, places) << lanes;
  }
}

// GCN's scalar file is read once and broadcast (STSIMT 5.9): 32 words of %r2 and one of %r4. In temporal lanes each
// group reads it.
TEST(ActivityCensus, reads_a_scalar_register_of_a_file_of_its_own_once_for_all_lanes) {
  for (const auto& [lanes, words] : {std::pair("tsimt", 64u), std::pair("simt-scalar", 33u)}) {
    MachineSpec spec = with_lanes(lanes);
    spec.core.scalarize = "divergent";
    const auto reads = [&](const char* body) {
      const Kernel kernel(body, {1, 1, 1}, {32, 1, 1}, 4096, "", code_options(spec));
      return kernel.run(spec, kCounted).activity.register_reads;
    };
    const char* rest = "mov.u32 %r2, %tid.x; mov.u32 %r4, %ctaid.x;\n";
    EXPECT_EQ(reads((std::string(rest) + "min.u32 %r3, %r2, %r4;\n").c_str()) - reads(rest), words) << lanes;
  }
}

// A minimum takes a unit of 16 lanes in two steps: the upper 12 threads need the second one alone.
TEST(ActivityCensus, of_lanes_that_compress_cycles_has_fewer_places_and_reads_whole_rows) {
  const char* part = "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, 20; @%p1 min.f32 %r6, %r3, %r4;\n";
  const char* rest = "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, 20;\n";
  const ActivityCount with = activity(part, {32, 1, 1}, with_lanes("simt-bcc"));
  const ActivityCount without = activity(rest, {32, 1, 1}, with_lanes("simt-bcc"));
  EXPECT_EQ(of(with.operations, Operation::FloatAdd), 12u);
  EXPECT_EQ(of(with.slots, Operation::FloatAdd), 16u);
  EXPECT_EQ(with.register_reads - without.register_reads, 2u * 32);
}

// The upper 20 threads alone: one by one 20, in groups of four 5 of them.
TEST(ActivityCensus, of_temporal_lanes_reads_what_their_groups_need) {
  const char* part = "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, 12; @%p1 fma.rn.f32 %r6, %r3, %r4, %r5;\n";
  const char* rest = "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, 12;\n";
  for (const auto& [lanes, words] : {std::pair("tsimt", 20u), std::pair("stsimt4", 20u), std::pair("simt", 32u)}) {
    const ActivityCount with = activity(part, {32, 1, 1}, with_lanes(lanes));
    const ActivityCount without = activity(rest, {32, 1, 1}, with_lanes(lanes));
    EXPECT_EQ(with.register_reads - without.register_reads, 3 * words) << lanes;
    EXPECT_EQ(of(with.slots, Operation::FloatMultiplyAdd), words) << lanes;
    EXPECT_EQ(of(with.operations, Operation::FloatMultiplyAdd), 20u) << lanes;
  }
}

TEST(ActivityCensus, counts_the_words_of_shared_memory_alone) {
  const char* body =
      "mov.u32 %r2, room; st.shared.u32 [%r2], %r3; ld.shared.u64 %d2, [%r2]; st.global.u32 [%mine], %r3;\n";
  const Kernel kernel(body, {1, 1, 1}, {32, 1, 1}, 4096, ".shared .align 8 .b8 room[256];\n");
  const ActivityCount count = kernel.run(one_core(), kCounted).activity;
  const ActivityCount without = activity("", {32, 1, 1});
  EXPECT_EQ(count.shared_words, 32u + 64);
  EXPECT_EQ(of(count.operations, Operation::Address) - of(without.operations, Operation::Address), 3u * 32);
  EXPECT_GT(count.flits, without.flits);
}

// Two warps come to the branch: apart, each goes on at two places, and each side ends a block of its own. The exits,
// from which nobody goes on, count one path each.
TEST(ActivityCensus, counts_the_paths_behind_the_ends_of_blocks) {
  const ActivityCount together = if_else("mov.u32 %r2, 0;\n").run(one_core(), kCounted).activity;
  const ActivityCount apart = if_else("mov.u32 %r2, %tid.x;\n").run(one_core(), kCounted).activity;
  EXPECT_EQ(together.paths, together.block_ends);
  EXPECT_EQ(apart.paths, apart.block_ends + 2);
}

// The last sample that a window ends cannot hold more than the launch, and later ones not less than earlier ones.
TEST(ActivityCensus, samples_the_launch_at_the_ends_of_windows) {
  const report::LaunchRecord record =
      Kernel(repeated(100, "add.u32 %r2, %r2, 1;\n"), {4, 1, 1}, {64, 1, 1}).run(one_core(), kCounted);
  const std::vector<report::ActivitySample> samples = samples_of(record.activity);
  ASSERT_GT(samples.size(), 2u);
  EXPECT_LE(samples.size() * record.activity.window, record.cycles);
  for (std::size_t i = 1; i < samples.size(); ++i)
    EXPECT_GE(samples[i].activity.instructions, samples[i - 1].activity.instructions);
  EXPECT_LT(samples.front().activity.instructions, samples.back().activity.instructions);
  EXPECT_LE(samples.back().activity.instructions, record.activity.instructions);
}

}  // namespace activity_census_test
}  // namespace warpfork::gpu
