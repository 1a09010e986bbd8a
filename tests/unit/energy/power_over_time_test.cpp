#include "energy/power_over_time.h"

#include <gtest/gtest.h>

#include "energy/gpu_energy.h"
#include "report/activity_samples.h"
#include "unit/energy/gpu_prices.h"

namespace warpfork::energy {
namespace power_over_time_test {

using report::Operation;

report::ActivitySample sums(std::uint64_t adds, std::uint64_t bursts) {
  report::ActivitySample sample;
  sample.activity.instructions = adds;
  sample.activity.operations[static_cast<unsigned>(Operation::FloatAdd)] = adds;
  sample.memory.caches.l1d.accesses = bursts;
  return sample;
}

/// 250 cycles in windows of 100: 1000 sums in the first, 2000 in the second, none in the rest.
report::LaunchRecord launch() {
  report::LaunchRecord record;
  record.timed = true;
  record.cycles = 250;
  record.activity.window = 100;
  add_sample(record.activity, sums(1000, 5));
  add_sample(record.activity, sums(3000, 15));
  record.activity.instructions = 3000;
  record.activity.operations = sums(3000, 0).activity.operations;
  record.memory = sums(0, 15).memory;
  return record;
}

TEST(PowerOverTime, follows_what_each_window_did) {
  const gpu::MachineSpec gtx480 = machine("gtx480");
  const std::vector<double> watts = power_over_time(gtx480, launch(), round_gpu_prices()).processor();
  ASSERT_EQ(watts.size(), 3u);
  const double leakage = leakage_mw_of(gtx480, round_gpu_prices()) / 1000;
  EXPECT_NEAR(watts[2], leakage, 1e-6 * leakage);
  EXPECT_NEAR(watts[1] - leakage, 2 * (watts[0] - leakage), 1e-6 * leakage);
  EXPECT_GT(watts[0], leakage);
}

TEST(PowerOverTime, adds_up_to_the_energy_of_the_launch) {
  const gpu::MachineSpec gtx480 = machine("gtx480");
  report::LaunchRecord record = launch();
  record.scheduler_cycles = 400;  // no window's
  const std::vector<double> watts = power_over_time(gtx480, record, round_gpu_prices()).processor();
  const double joules = (100 * watts[0] + 100 * watts[1] + 50 * watts[2]) / 700e6;
  const double whole = energy_of(gtx480, record, round_gpu_prices()).processor() * 1e-9;
  EXPECT_NEAR(joules, whole, 1e-9 * whole);
}

// A sum costs 3 pJ: 1000 and 2000 of them in 100 cycles at 700 MHz, and none.
TEST(PowerOverTime, says_which_part_works_when) {
  const PowerOverTime power = power_over_time(machine("gtx480"), launch(), round_gpu_prices());
  const std::vector<double>& fpu = power.parts[static_cast<unsigned>(GpuPart::Fpu)];
  ASSERT_EQ(fpu.size(), 3u);
  EXPECT_NEAR(fpu[0], 1000 * 3e-12 * 7e6, 1e-9);
  EXPECT_NEAR(fpu[1], 2000 * 3e-12 * 7e6, 1e-9);
  EXPECT_NEAR(fpu[2], 0, 1e-9);
}

TEST(PowerOverTime, of_a_launch_without_windows_is_its_mean) {
  report::LaunchRecord record = launch();
  record.activity.samples.clear();
  const std::vector<double> watts = power_over_time(machine("gtx480"), record, round_gpu_prices()).processor();
  ASSERT_EQ(watts.size(), 1u);
  EXPECT_NEAR(watts[0], energy_of(machine("gtx480"), record, round_gpu_prices()).watts(), 1e-9 * watts[0]);
}

}  // namespace power_over_time_test
}  // namespace warpfork::energy
