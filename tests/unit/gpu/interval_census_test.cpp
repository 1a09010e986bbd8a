// What a launch did in each stretch of its time.
#include "gpu/interval_census.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "unit/gpu/gtx480_spec.h"
#include "unit/gpu/kernel.h"

namespace warpfork::gpu {
namespace interval_census_test {

using report::IntervalSample;
using report::StallCause;

IntervalCensus census(unsigned lanes = 0) {
  return IntervalCensus(50, lanes, [] { return report::MemoryCounts(); });
}

std::uint64_t memory_stalls(const IntervalSample& sample) {
  return sample.stalls[static_cast<unsigned>(StallCause::Memory)];
}

TEST(IntervalCensus, parts_what_lasts_at_the_end_of_an_interval) {
  IntervalCensus counts = census();
  counts.stalled({45, 0, 0}, StallCause::Memory, 10);
  counts.occupied({40, 0, 0}, 3, 10);
  const report::IntervalCounts all = counts.counts(60);
  ASSERT_EQ(all.samples.size(), 2u);
  EXPECT_EQ(memory_stalls(all.samples[0]), 5u);
  EXPECT_EQ(memory_stalls(all.samples[1]), 5u);
  EXPECT_EQ(all.samples[0].warp_cycles, 30u);  // up to cycle 49
  EXPECT_EQ(all.samples[1].warp_cycles, 0u);
}

// 262,144 intervals of 50 cycles: without a bound a launch of long latencies took all memory.
TEST(IntervalCensus, refuses_a_launch_of_more_intervals_than_there_is_room_for) {
  IntervalCensus counts = census();
  EXPECT_THROW(counts.stalled({Cycle{50} << 18, 0, 0}, StallCause::Memory, 1), Error);
}

// Two splits for ten cycles, five of them in each interval.
TEST(IntervalCensus, counts_splits) {
  IntervalCensus counts = census();
  const std::uint8_t threads[] = {16, 16};
  report::SplitEvent event{threads};
  event.cycles = 10;
  event.at = {45, 0, 0};
  counts.split(event);
  counts.occupied({45, 0, 0}, 1, 10);
  const report::IntervalCounts all = counts.counts(60);
  EXPECT_EQ(all.samples[0].split_cycles, 10u);
  EXPECT_EQ(all.samples[1].split_cycles, 10u);
  EXPECT_DOUBLE_EQ(all.samples[1].mean_splits(), 2);
}

TEST(IntervalCensus, has_an_interval_for_each_stretch_of_the_launch_the_last_one_shorter) {
  EXPECT_EQ(census().counts(100).samples.size(), 2u);
  const report::IntervalCounts all = census().counts(101);
  ASSERT_EQ(all.samples.size(), 3u);
  EXPECT_EQ(all.samples[1].begin, 50u);
  EXPECT_EQ(all.samples[1].cycles, 50u);
  EXPECT_EQ(all.samples[2].cycles, 1u);
}

TEST(IntervalCensus, counts_threads_by_temporal_lane) {
  IntervalCensus counts = census(2);
  EXPECT_TRUE(counts.observes_lanes(0));
  counts.lane_entered({{60, 0, 0}, 1, ActiveMask(0b111), nullptr});
  EXPECT_EQ(counts.counts(100).samples[1].lane_threads, (std::vector<std::uint64_t>{0, 3}));
  EXPECT_FALSE(census().observes_lanes(0));
}

TEST(IntervalCensus, has_all_that_the_launch_has) {
  LaunchOptions options;
  options.interval = 64;
  const Kernel kernel("ld.global.u32 %r2, [%mine];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%mine], %r2;\nret;", {4, 1, 1},
                      {64, 1, 1});
  const report::LaunchRecord record = kernel.run(one_core(), options);
  const auto sum = [&](auto member) {
    return std::accumulate(record.intervals.samples.begin(), record.intervals.samples.end(), std::uint64_t{0},
                           [&](std::uint64_t before, const IntervalSample& sample) { return before + sample.*member; });
  };
  EXPECT_EQ(record.intervals.samples.size(), (record.cycles + 63) / 64);
  EXPECT_EQ(sum(&IntervalSample::warp_instructions), record.warp_instructions);
  EXPECT_EQ(sum(&IntervalSample::warp_cycles), record.occupancy.warp_cycles);
  EXPECT_EQ(sum(&IntervalSample::split_cycles), record.occupancy.warp_cycles);  // never more than one split
  EXPECT_EQ(sum(&IntervalSample::l1d_accesses), record.memory.caches.l1d.accesses);
  EXPECT_EQ(sum(&IntervalSample::dram_reads), record.memory.dram.reads);
}

}  // namespace interval_census_test
}  // namespace warpfork::gpu
