#include "energy/energy_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "energy/area_report.h"
#include "unit/energy/adapted_machine.h"
#include "unit/energy/round_prices.h"

namespace warpfork::energy {
namespace energy_report_test {

ooo::MachineSpec simt_x() { return adapted("simt-x", 2, 4); }
ooo::MachineSpec smt() { return adapted("smt", 4, 1); }

constexpr double kIdle = 2;  // nJ: 20 mW in 200 cycles at 2 GHz

/// 100 instructions of 2 lanes each, a fourth of them fetched again.
ooo::CoreCounts counts() {
  ooo::CoreCounts counts;
  counts.cycles = 200;
  counts.front.instructions = 100;
  counts.front.thread_instructions = 200;
  counts.front.branches = 8;
  counts.front.predicted_divergent = 3;
  counts.front.convergences = 2;
  counts.uops = 120;
  counts.merges = 20;
  counts.flushed = 30;
  counts.issued = 140;
  counts.operations = {.integer = 100, .multiply = 5, .vector = 20, .floating_point = 30, .memory = 90};
  counts.memory.accesses = 60;
  counts.memory.requests = 40;
  counts.memory.l1_misses = 6;
  counts.memory.l2_accesses = 6;
  counts.memory.l2_misses = 3;
  counts.memory.write_backs = 1;
  return counts;
}

TEST(Activity, counts_what_was_fetched_again) {
  const Activity activity = activity_of(counts());
  EXPECT_DOUBLE_EQ(activity.instructions, 125);
  EXPECT_DOUBLE_EQ(activity.branches, 10);
  EXPECT_DOUBLE_EQ(activity.uops, 150);
}

TEST(Activity, takes_operations_as_counted_and_addresses_as_integer_ones) {
  const Activity activity = activity_of(counts());
  EXPECT_DOUBLE_EQ(activity.integer_operations, 100 + 60);
  EXPECT_DOUBLE_EQ(activity.multiply_operations, 5);
  EXPECT_DOUBLE_EQ(activity.vector_operations, 20);
  EXPECT_DOUBLE_EQ(activity.float_operations, 30);
  EXPECT_DOUBLE_EQ(activity.l1_words, 60);  // 40 requests of an access and a half each
  EXPECT_DOUBLE_EQ(activity.l2_requests, 6 + 3 + 1);
  EXPECT_DOUBLE_EQ(activity.memory_lines, 4);
}

TEST(EnergyReport, pays_units_and_memory_by_the_event) {
  const EnergyReport report = energy_of(simt_x(), "simt-x", counts(), round_prices());
  EXPECT_DOUBLE_EQ(report.of(Part::Execution), (160 * 10 + 5 * 20 + 20 * 15 + 30 * 30) / 1000.0 + kIdle);
  EXPECT_DOUBLE_EQ(report.of(Part::Memory), 4 * 8 * 1000 / 1000.0);  // 4 lines of eight words
  EXPECT_DOUBLE_EQ(report.processor() + report.of(Part::Memory), report.total());
}

TEST(EnergyReport, pays_leakage_by_the_cycle) {
  const EnergyReport report = energy_of(simt_x(), "simt-x", counts(), round_prices());
  EXPECT_DOUBLE_EQ(report.seconds, 100e-9);  // 200 cycles at 2 GHz
  EXPECT_NEAR(report.of(Part::Leakage), leakage_mw_of(simt_x(), "simt-x", round_prices()) * 0.1, 1e-6);
}

TEST(EnergyReport, units_out_of_order_pay_for_the_time_as_well) {
  ooo::CoreCounts waiting;
  waiting.cycles = 200;
  EXPECT_DOUBLE_EQ(energy_of(simt_x(), "simt-x", waiting, round_prices()).of(Part::Execution), kIdle);
  EXPECT_EQ(energy_of(adapted("ditva", 2, 4), "ditva", waiting, round_prices()).of(Part::Execution), 0);
}

TEST(EnergyReport, registers_cost_as_much_per_lane_as_in_a_core_of_one) {
  // 165 and 50 operations of three accesses, and 30 words beyond the first of an access. The file of a lane has 168 ×
  // 64 bits, cells of (10 + 4 × 11) × (20 + 2 × (2 × 3 + 8)) F² = 54 × 48, against the reference's 6400 bits and 200
  // F²; 168 × 256 bits of 7 and 3 ports, cells of (10 + 4 × 9) × (20 + 2 × (2 × 2 + 7)) F² = 46 × 42.
  const double integer = 8 * std::sqrt(168 * 64 * 54 * 48 / (6400.0 * 200));
  const double vector = 8 * std::sqrt(168 * 256 * 46 * 42 / (6400.0 * 200));
  const EnergyReport report = energy_of(simt_x(), "simt-x", counts(), round_prices());
  EXPECT_NEAR(report.of(Part::RegisterFiles), (3 * 165 * integer + (3 * 50 + 30) * vector) * 1e-3, 1e-9);
}

TEST(EnergyReport, l1_pays_for_requests_fills_translations_and_the_crossbar) {
  // A bank: 128 × 552 bits; a TLB: 64 × 76. Crossbar: 64 bits × 2 × (4 × 64 × 0.5 µm) × 0.5 pJ/mm, 60 times.
  const double bank = 8 * std::sqrt(128 * 552 / 6400.0), tlb = 8 * 76 / 64.0 * std::sqrt(64 * 76 / 6400.0);
  const double crossbar = 64 * 2 * 0.128 * 0.5;
  const EnergyReport report = energy_of(simt_x(), "simt-x", counts(), round_prices());
  EXPECT_NEAR(report.of(Part::L1AndTlb), (60 * bank + 6 * 8 * bank + 60 * tlb + 60 * crossbar) * 1e-3, 1e-9);
}

TEST(EnergyReport, in_order_core_pays_no_renaming) {
  const ooo::MachineSpec ditva = adapted("ditva", 2, 4);
  EXPECT_EQ(energy_of(ditva, "ditva", counts(), round_prices()).of(Part::Rename), 0);
}

TEST(EnergyReport, of_nothing_is_nothing) {
  const EnergyReport report = energy_of(smt(), "smt", ooo::CoreCounts{}, round_prices());
  EXPECT_EQ(report.total(), 0);
  EXPECT_EQ(report.watts(), 0);
  EXPECT_THAT(report.text(report), ::testing::HasSubstr("processor"));
}

TEST(EnergyReport, peak_works_every_unit_of_every_lane_once_a_cycle) {
  // SMT: 6 integer, a multiplication, 2 × 4 vector words; SIMT-X: four times the first two; 20 mW for half a
  // nanosecond.
  EXPECT_DOUBLE_EQ(peak_of(smt(), "smt", round_prices()).of(Part::Execution), (60 + 20 + 240 + 10) / 1000.0);
  EXPECT_DOUBLE_EQ(peak_of(simt_x(), "simt-x", round_prices()).of(Part::Execution), (240 + 80 + 240 + 10) / 1000.0);
}

TEST(EnergyReport, json_names_every_part) {
  const report::Json json = energy_of(simt_x(), "simt-x", counts(), round_prices()).to_json();
  EXPECT_EQ(json["parts"].size(), kParts);
  EXPECT_EQ(json["parts"]["memory"], 32.0);
  EXPECT_EQ(json["unit"], "nJ");
}

}  // namespace energy_report_test
}  // namespace warpfork::energy
