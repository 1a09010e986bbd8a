#include "report/sample_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/launch_json.h"
#include "report/record_sum.h"
#include "report/sampling_error.h"

namespace warpfork::report {
namespace sample_estimate_test {

// 100 of the launch's 400 instructions are in its whole parts, 30 of the others in three batches.
const SampledCounts kSampled = {{{7}, 100}, {{{2}, 10}, {{4}, 10}, {{3}, 10}}, {{{4}, 20}, {{8}, 20}, {{8}, 20}}, 400};

TEST(SampleEstimate, is_in_proportion_to_the_batches_between_whole_parts) {
  EXPECT_EQ(kSampled.estimate(), Counts{97});                // 7 + 300 · 9 / 30
  EXPECT_EQ(kSampled.estimate_without(0), Counts{112});      // 7 + 300 · 7 / 20
  EXPECT_EQ(kSampled.estimate_without(1), Counts{82});       // 7 + 300 · 5 / 20
  EXPECT_EQ(kSampled.estimate_without(2), Counts{97});       // 7 + 300 · 6 / 20
  EXPECT_EQ(kSampled.estimate_with_warm_up(), Counts{107});  // 7 + 300 · 20 / 60
  EXPECT_DOUBLE_EQ(kSampled.sampled_part(), 0.1);
}

LaunchRecord counting(Cycle cycles) {
  LaunchRecord record;
  record.timed = true;
  record.active_lanes[32] = 400;
  record.count_instructions();
  record.cycles = cycles;
  return record;
}

LaunchRecord sampled_launch() {
  LaunchRecord record = counting(97);
  record.sample.share = 0.5;
  record.sample.batches = 3;
  record.sample.sampled_part = 0.1;
  for (const Cycle cycles : {112, 82, 97}) record.sample.replicates.push_back(counts_of(counting(cycles)));
  record.sample.with_warm_up = counts_of(counting(100));
  return record;
}

// Jackknife: variance 2/3 · (15² + 15²) = 300 of an endless launch, 270 of one of which a tenth was in batches;
// Student's t of two degrees of freedom is 4.303. Warming up would have added 3.
TEST(SamplingError, is_the_jackknifes_times_students_t) {
  const LaunchRecord launch = sampled_launch();
  const HalfIntervals halves = SamplingError({&launch, 1}).half_intervals();
  EXPECT_NEAR(halves.at("cycles"), std::sqrt(4.303 * 4.303 * 270 + 9), 1e-9);
  EXPECT_FALSE(halves.contains("warp_instructions"));
  EXPECT_FALSE(halves.contains("active_lanes_histogram.32"));
}

// 12,800 thread instructions in 112, 82 and 97 cycles.
TEST(SamplingError, of_a_rate_follows_from_its_counts_together) {
  const LaunchRecord launch = sampled_launch();
  const double mean = (12800. / 112 + 12800. / 82 + 12800. / 97) / 3;
  const double squares =
      std::pow(12800. / 112 - mean, 2) + std::pow(12800. / 82 - mean, 2) + std::pow(12800. / 97 - mean, 2);
  const double warm = std::pow(12800. / 100 - 12800. / 97, 2);
  EXPECT_NEAR(SamplingError({&launch, 1}).half_intervals().at("ipc"),
              std::sqrt(4.303 * 4.303 * 0.9 * 2 / 3 * squares + warm), 1e-9);
}

TEST(SamplingError, of_a_sum_is_the_root_of_the_sum_of_squares) {
  const std::vector<LaunchRecord> launches = {sampled_launch(), counting(1000), sampled_launch()};
  const SamplingError error(launches);
  EXPECT_EQ(error.launches(), 2u);
  EXPECT_NEAR(error.half_intervals().at("cycles"), std::sqrt(2 * (4.303 * 4.303 * 270 + 9)), 1e-9);
  EXPECT_EQ(error.relative([](const LaunchRecord& sums) { return static_cast<double>(sums.cycles); }), " ± 8.4 %");
}

TEST(SamplingError, is_not_spoken_of_where_nothing_was_sampled) {
  const LaunchRecord launch = counting(97);
  const SamplingError error({&launch, 1});
  EXPECT_TRUE(error.half_intervals().empty());
  EXPECT_EQ(error.relative([](const LaunchRecord& sums) { return static_cast<double>(sums.cycles); }), "");
}

TEST(SamplingError, comes_through_the_state_in_which_a_process_hands_launches_over) {
  LaunchRecord launch = sampled_launch();
  launch.sample.half_intervals = SamplingError({&launch, 1}).half_intervals();
  const LaunchRecord read = launch_from(state_of(launch));
  EXPECT_EQ(read.sample.half_intervals, launch.sample.half_intervals);
  EXPECT_EQ(SamplingError({&read, 1}).half_intervals(), launch.sample.half_intervals);
  EXPECT_EQ(to_json(read)["sampled"].size(), 5u);  // replicates are nobody's business
}

// Fisher and Yates; ten batches have nine degrees of freedom, thirty have 29.
TEST(StudentT, is_that_of_the_tables) {
  EXPECT_EQ(student_t_975(9), 2.262);
  EXPECT_EQ(student_t_975(29), 2.045);
}

}  // namespace sample_estimate_test
}  // namespace warpfork::report
