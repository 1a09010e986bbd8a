// The energy of counts that are made up, by hand.
#include "energy/gpu_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "report/launch_totals.h"
#include "unit/energy/gpu_prices.h"

namespace warpfork::energy {
namespace gpu_energy_test {

using report::LaunchRecord;
using report::Operation;

std::uint64_t& of(report::ActivityCount::Operations& counts, Operation operation) {
  return counts[static_cast<unsigned>(operation)];
}

/// 1000 cycles in which nothing happened.
LaunchRecord idle() {
  LaunchRecord counts;
  counts.cycles = 1000;
  return counts;
}

/// 10 warp instructions of 20 threads each, products with a sum.
LaunchRecord busy() {
  LaunchRecord counts = idle();
  counts.activity.instructions = 10;
  of(counts.activity.operations, Operation::FloatMultiplyAdd) = 200;
  of(counts.activity.slots, Operation::FloatMultiplyAdd) = 320;
  counts.activity.register_reads = 960;
  counts.activity.register_writes = 320;
  counts.activity.results = 10;
  counts.occupancy.core_cycles = 100;
  return counts;
}

EnergyReport energy(const LaunchRecord& counts, const gpu::MachineSpec& spec = machine("gtx480")) {
  return energy_of(spec, counts, round_gpu_prices());
}

TEST(GpuEnergy, of_a_chip_that_does_nothing_is_its_leakage) {
  const EnergyReport report = energy(idle());
  EXPECT_DOUBLE_EQ(report.seconds, 1000 / 700e6);
  const double leakage = leakage_mw_of(machine("gtx480"), round_gpu_prices()) * report.seconds * 1e6;
  EXPECT_NEAR(report.of(GpuPart::Static), leakage, 1e-9 * leakage);
  EXPECT_EQ(report.of(GpuPart::Static), report.total());
}

TEST(GpuEnergy, is_the_sum_of_its_parts) {
  const EnergyReport report = energy(busy());
  const double sum = std::accumulate(report.nanojoules.begin(), report.nanojoules.end(), 0.0);
  EXPECT_DOUBLE_EQ(report.total(), sum);
  EXPECT_DOUBLE_EQ(report.processor() + report.of(GpuPart::Dram), sum);
  EXPECT_DOUBLE_EQ(report.edp(), report.processor() * 1e-9 * report.seconds);
}

TEST(GpuEnergy, of_two_equal_launches_is_twice_that_of_one_in_every_part) {
  LaunchRecord launch = busy();
  launch.timed = true;
  launch.memory.caches.l1d.accesses = launch.memory.dram.reads = 40;
  const EnergyReport one = energy(launch);
  const EnergyReport two = energy(report::sum_launches(std::vector{launch, launch}).sums);
  for (unsigned part = 0; part < one.nanojoules.size(); ++part)
    EXPECT_NEAR(two.nanojoules[part], 2 * one.nanojoules[part], 1e-9 * one.total()) << one.parts.names[part];
  EXPECT_DOUBLE_EQ(two.seconds, 2 * one.seconds);
}

// 200 products of 4 pJ and sums of 3 pJ; 10 stages of 100 bits at 10 fJ for each thread.
TEST(GpuEnergy, of_gated_lanes_is_that_of_their_threads) {
  const EnergyReport report = energy(busy());
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Fpu), 200 * (4 + 3) * 1e-3);
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Clock), 200 * 10 * 100 * 10e-3 * 1e-3);
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Decode), 10 * 100 * 1e-3);
}

// The same for every place in 32 lanes, and the clock in all 32 units in 100 cycles.
TEST(GpuEnergy, of_lanes_that_are_not_gated_is_that_of_every_place) {
  gpu::MachineSpec open = machine("gtx480");
  open.energy.gates_idle_lanes = false;
  const EnergyReport report = energy(busy(), open);
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Fpu), 320 * (4 + 3) * 1e-3);
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Clock), 100 * 32 * 10 * 100 * 10e-3 * 1e-3);
}

TEST(GpuEnergy, prices_each_operation_by_its_kind) {
  const auto part = [](Operation operation, GpuPart of_part) {
    LaunchRecord counts = idle();
    of(counts.activity.operations, operation) = 1000;
    return energy(counts).of(of_part);
  };
  EXPECT_DOUBLE_EQ(part(Operation::Integer, GpuPart::Alu), 1);
  EXPECT_DOUBLE_EQ(part(Operation::Address, GpuPart::Alu), 1);
  EXPECT_DOUBLE_EQ(part(Operation::IntegerMultiply, GpuPart::Alu), 2);
  EXPECT_DOUBLE_EQ(part(Operation::FloatAdd, GpuPart::Fpu), 3);
  EXPECT_DOUBLE_EQ(part(Operation::FloatMultiply, GpuPart::Fpu), 4);
  EXPECT_DOUBLE_EQ(part(Operation::Double, GpuPart::Fpu), 50);
  EXPECT_DOUBLE_EQ(part(Operation::Special, GpuPart::Sfu), 6);
  EXPECT_DOUBLE_EQ(part(Operation::Division, GpuPart::Sfu) + part(Operation::Division, GpuPart::Fpu), 6 + 4);
  EXPECT_GT(part(Operation::Shuffle, GpuPart::SharedMemory), 0);
}

// A lane of one thread of tesla30 has banks of 256 × 32 bits, the reference 6400 bits, 8 pJ for 64 bits; its crossbar
// has a side of 8 × 32 × 0.5 µm, two of which each bit crosses at 0.5 pJ/mm. A collector: 3 words, a port to read,
// cells of 14 × 22 F² against 200.
TEST(GpuEnergy, of_registers_follows_the_shape_of_a_lane) {
  const double bank = 8 / 2.0 * std::sqrt(256 * 32 / 6400.0), crossbar = 32 * 2 * 0.128 * 0.5;
  const double collector = 8 / 2.0 * std::sqrt(3 * 32 * 14 * 22 / (6400 * 200.0));
  const EnergyReport report = energy(busy(), machine("tesla30", "tsimt"));
  EXPECT_NEAR(report.of(GpuPart::RegisterFile), (1280 * (bank + crossbar) + 2 * 960 * collector) * 1e-3, 1e-9);
}

TEST(GpuEnergy, of_the_same_words_is_less_in_narrow_banks_which_narrow_lanes_have) {
  const auto registers = [](const char* lanes, unsigned width) {
    gpu::MachineSpec spec = machine("tesla30", lanes);
    spec.energy.register_file_width = width;
    return energy(busy(), spec).of(GpuPart::RegisterFile);
  };
  EXPECT_LT(registers("tsimt", 8), registers("stsimt2", 8));
  EXPECT_LT(registers("stsimt2", 8), registers("stsimt4", 8));
  EXPECT_LT(registers("stsimt4", 8), registers("simt", 8));
  EXPECT_EQ(registers("tsimt", 8), registers("tsimt", 1));
  EXPECT_EQ(registers("tsimt", 1), registers("stsimt4", 1));
}

// 64 bits cost 1000 pJ: 10 bursts of 64 bytes are 80 of them.
// MULTIPATH 6.6: the same rows, 40 bits an entry instead of 8; each is compared and changed where its column ends.
TEST(GpuEnergy, of_a_scoreboard_with_lane_masks_is_as_many_times_more_as_it_has_bits) {
  const double plain = energy(busy()).of(GpuPart::Scoreboard);
  const double masked = energy(busy(), machine("gtx480", "simt", "multi-path")).of(GpuPart::Scoreboard);
  EXPECT_NEAR(masked / plain, 5, 1e-9);
}

TEST(GpuEnergy, of_memory_is_that_of_its_bursts) {
  LaunchRecord counts = idle();
  counts.memory.dram.reads = 6;
  counts.memory.dram.writes = 4;
  const EnergyReport report = energy(counts);
  EXPECT_DOUBLE_EQ(report.of(GpuPart::Dram), 80);
  EXPECT_NEAR(report.processor(), report.of(GpuPart::Static), 1e-9);
}

// A flit of 320 bits crosses two sides of 15 ports × 320 bits × 0.5 µm.
TEST(GpuEnergy, of_the_interconnect_is_that_of_its_flits) {
  LaunchRecord counts = idle();
  counts.activity.flits = 1000;
  EXPECT_NEAR(energy(counts).of(GpuPart::Interconnect), 320 * 2 * 2.4 * 0.5, 1e-9);
}

TEST(GpuEnergy, at_its_peak_is_above_that_of_any_other_cycle) {
  const EnergyReport peak = peak_of(machine("gtx480"), round_gpu_prices());
  // 15 cores of 32 units at 700 MHz: products and sums in all of them.
  EXPECT_NEAR(peak.of(GpuPart::Fpu) * 1e-9 / peak.seconds, 15 * 32 * 700e6 * 7e-12, 1e-9);
  EXPECT_GT(peak.watts(), energy(busy()).watts());
}

TEST(GpuEnergy, a_missing_price_is_an_error) {
  GpuPriceList prices = round_gpu_prices();
  prices.threads.double_pj = 0;
  EXPECT_THAT([&] { energy_of(machine("gtx480"), busy(), prices); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("no positive 'threads.double_pj'")));
}

TEST(GpuEnergy, a_price_that_is_no_number_to_reckon_with_is_an_error) {
  GpuPriceList endless = round_gpu_prices(), overfull = round_gpu_prices();
  endless.threads.double_pj = std::numeric_limits<double>::infinity();
  overfull.array.efficiency = 1.1;
  EXPECT_THAT([&] { energy_of(machine("gtx480"), busy(), endless); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("no positive 'threads.double_pj'")));
  EXPECT_THAT([&] { area_of(machine("gtx480"), overfull); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("'array.efficiency' must be a part")));
}

TEST(GpuEnergy, json_and_area_name_every_part_that_there_is) {
  EXPECT_EQ(energy(busy()).to_json()["parts"].size(), 15u);
  const report::Json area = area_of(machine("gtx480"), round_gpu_prices()).to_json();
  EXPECT_TRUE(area["parts"].contains("register file"));
  EXPECT_FALSE(area["parts"].contains("DRAM"));
  // 15 cores of 32 units: 100 + 200 µm².
  EXPECT_NEAR(area["structures"]["integer units"].get<double>(), 15 * 32 * 300e-6, 1e-12);
}

}  // namespace gpu_energy_test
}  // namespace warpfork::energy
