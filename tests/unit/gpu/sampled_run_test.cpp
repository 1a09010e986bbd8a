// Launches of which some blocks are simulated in detail, on the whole device.
#include "gpu/sampled_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "gtx480_spec.h"
#include "kernel.h"
#include "random_kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace sampled_run_test {

LaunchOptions sampled(double share = 0.3) {
  LaunchOptions options;
  options.sample = {share, 0};
  return options;
}

/// Waves of four blocks.
MachineSpec small_waves(const std::string& mechanism = "pdom") {
  MachineSpec spec = one_core(mechanism);
  spec.core.blocks = 4;
  return spec;
}

const std::string kLoop = R"(
  rem.u32 %r2, %thread, 7;
LOOP:
  ld.global.u32 %r3, [%mine];
  add.u32 %r3, %r3, %thread;
  st.global.u32 [%mine], %r3;
  sub.u32 %r2, %r2, 1;
  setp.gt.s32 %p0, %r2, 0;
  @%p0 bra LOOP;
  atom.global.add.u32 %r4, [%out + 65536], 1;
  ret;)";

Kernel loop() { return {kLoop, {400, 1, 1}, {40, 1, 1}, 65536 / 4 + 1}; }

TEST(SampledRun, computes_what_a_whole_run_computes) {
  const Kernel kernel = loop();
  kernel.run(small_waves());
  const std::vector<std::uint32_t> whole = kernel.out();
  EXPECT_EQ(whole.back(), 16000u);  // each thread once
  kernel.clear_out();
  EXPECT_EQ(kernel.run(small_waves(), sampled()).sample.batches, 10u);
  EXPECT_EQ(kernel.out(), whole);
}

TEST(SampledRun, knows_what_all_blocks_execute_under_mechanisms_whose_masks_time_does_not_change) {
  for (const char* mechanism : {"pdom", "dual-path", "multi-path"}) {
    const report::LaunchRecord whole = loop().run(small_waves(mechanism)),
                               part = loop().run(small_waves(mechanism), sampled());
    EXPECT_EQ(part.active_lanes, whole.active_lanes) << mechanism;
    EXPECT_EQ(part.executed_thread_instructions, whole.executed_thread_instructions);
    EXPECT_EQ(part.thread_instructions, whole.thread_instructions);
    EXPECT_FALSE(part.sample.half_intervals.contains("warp_instructions"));
    EXPECT_TRUE(part.sample.half_intervals.contains("cycles"));
  }
}

TEST(SampledRun, estimates_warp_instructions_where_masks_depend_on_time) {
  const report::LaunchRecord whole = loop().run(small_waves("tbc")), part = loop().run(small_waves("tbc"), sampled());
  EXPECT_NEAR(static_cast<double>(part.thread_instructions), static_cast<double>(whole.thread_instructions), 33);
  EXPECT_EQ(part.sample.batches, 10u);
}

// Blocks that are all alike, each by itself: whatever is counted is in proportion to them.
TEST(SampledRun, is_close_to_a_whole_run_of_blocks_that_are_alike) {
  const std::string body = "mov.u32 %r2, 30; L: sub.u32 %r2, %r2, 1; setp.gt.s32 %p0, %r2, 0; @%p0 bra L; ret;";
  const Kernel kernel(body, {600, 1, 1}, {64, 1, 1});
  const report::LaunchRecord whole = kernel.run(small_waves()), part = kernel.run(small_waves(), sampled());
  EXPECT_GT(part.sample.batches, 0u);
  EXPECT_LE(part.sample.detailed_blocks, 180u);
  EXPECT_NEAR(static_cast<double>(part.cycles), static_cast<double>(whole.cycles),
              0.01 * static_cast<double>(whole.cycles));
}

TEST(SampledRun, gives_the_same_bytes_each_time_and_others_from_another_place) {
  const auto text = [](std::uint64_t seed) {
    LaunchOptions options = sampled();
    options.sample.seed = seed;
    return report::to_json(loop().run(small_waves(), options)).dump();
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(SampledRun, simulates_a_launch_of_few_blocks_whole_and_says_so) {
  const Kernel kernel(kLoop, {99, 1, 1}, {40, 1, 1}, 65536 / 4 + 1);
  report::LaunchRecord part = kernel.run(small_waves(), sampled());
  kernel.clear_out();
  const report::LaunchRecord whole = kernel.run(small_waves());
  EXPECT_EQ(part.sample.whole_because, "few_blocks");
  EXPECT_EQ(part.sample.detailed_blocks, 99u);
  EXPECT_TRUE(part.sample.half_intervals.empty());
  part.sample = {};
  EXPECT_EQ(report::to_json(part).dump(), report::to_json(whole).dump());
}

// Each block goes on when the one before it has: in a batch's first block that one may not have ended.
TEST(SampledRun, simulates_a_launch_whole_whose_blocks_wait_for_one_another) {
  const Kernel kernel(R"(
  WAIT:
    ld.volatile.global.u32 %r2, [%out];
    setp.lt.u32 %p0, %r2, %r0;
    @%p0 bra WAIT;
    add.u32 %r3, %r0, 1;
    st.volatile.global.u32 [%out], %r3;
    ret;)",
                      {400, 1, 1}, {32, 1, 1});
  EXPECT_EQ(kernel.run(small_waves(), sampled()).sample.whole_because, "blocks_may_wait");
  EXPECT_EQ(kernel.out().front(), 400u);
}

// Each block loads one of sixteen lines in turn. The first three waves miss twelve, and blocks that are executed behind
// them bring the other four to the core before a batch can.
TEST(SampledRun, has_a_core_keep_what_the_blocks_between_batches_load) {
  const Kernel kernel(
      "and.b32 %r1, %r0, 15; mul.wide.u32 %d0, %r1, 128; add.u64 %d0, %d0, %out; "
      "ld.global.u32 %r2, [%d0]; ret;",
      {400, 1, 1}, {32, 1, 1});
  const std::vector<SampleBatch> plan = plan_sample(400, 4, sampled().sample);
  ASSERT_EQ(plan.front().end, 12u);
  ASSERT_GE(plan[1].begin, 16u);
  EXPECT_EQ(kernel.run(small_waves()).memory.caches.l1d.misses, 16u);
  EXPECT_EQ(kernel.run(small_waves(), sampled()).memory.caches.l1d.misses, 12u);
}

TEST(SampledRun, is_refused_under_an_oracle) {
  MachineSpec spec = small_waves("capri");
  spec.divergence.predictor = "oracle";
  EXPECT_THAT(loop().error(spec, sampled()), testing::HasSubstr("--sample: capri with the predictor oracle"));
}

TEST(SampledRun, of_random_kernels_computes_what_a_whole_run_computes) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Kernel kernel(RandomKernel(seed).body(), {200, 1, 1}, {80, 1, 1}, 65536);
    for (const char* mechanism : {"pdom", "multi-path-or", "capri"}) {
      kernel.clear_out();
      const report::LaunchRecord whole = kernel.run(small_waves(mechanism));
      const std::vector<std::uint32_t> out = kernel.out();
      kernel.clear_out();
      const report::LaunchRecord part = kernel.run(small_waves(mechanism), sampled(0.6));
      EXPECT_EQ(kernel.out(), out) << seed << mechanism;
    }
  }
}

}  // namespace sampled_run_test
}  // namespace warpfork::gpu
