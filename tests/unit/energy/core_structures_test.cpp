#include "energy/core_structures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "energy/area_report.h"
#include "unit/energy/adapted_machine.h"
#include "unit/energy/round_prices.h"

namespace warpfork::energy {
namespace core_structures_test {

CoreStructures structures(std::string_view core, unsigned warps, unsigned threads) {
  return structures_of(adapted(core, warps, threads), core, round_prices());
}

void expect_shape(const Array& array, double entries, double bits) {
  EXPECT_EQ(array.copies * array.entries, entries);
  EXPECT_EQ(array.bits, bits);
}

/// SIMT-X, section 4.5, for 2 warps of 4 threads beside SMT with 4.
TEST(CoreStructures, have_the_shapes_that_simt_x_names) {
  const CoreStructures simt = structures("simt-x", 2, 4), smt = structures("smt", 4, 1);
  expect_shape(simt[Structure::PathSchedulingTable], 8, 84);
  expect_shape(simt[Structure::PathTable], 16, 9);
  expect_shape(simt[Structure::DivergencePredictor], 32, 2);
  expect_shape(simt[Structure::RenameTable], 64, 21);
  expect_shape(smt[Structure::RenameTable], 128, 8);
  EXPECT_EQ(smt[Structure::PathSchedulingTable].entries, 0);
  EXPECT_EQ(smt[Structure::PathTable].entries, 0);
}

TEST(CoreStructures, of_a_warp_have_a_file_a_column_a_bank_and_a_tlb_for_each_lane) {
  const CoreStructures simt = structures("simt-x", 2, 4);
  expect_shape(simt[Structure::IntegerRegisters], 4 * 168, 64);
  expect_shape(simt[Structure::VectorRegisters], 4 * 168, 256);
  expect_shape(simt[Structure::LoadStoreAddresses], 4 * 114, 48);
  expect_shape(simt[Structure::Tlb], 4 * 64, 76);
  EXPECT_EQ(simt[Structure::L1Data].entries, 128);  // 8 KB of lines
  EXPECT_EQ(simt[Structure::L1Data].copies, 4);
}

TEST(CoreStructures, replicate_scalar_units_per_lane_but_share_the_wide_ones) {
  const CoreStructures smt = structures("smt", 4, 1), four = structures("simt-x", 2, 4);
  EXPECT_EQ(smt.integer_units, 6u);  // 4, a branch unit, an address unit
  EXPECT_EQ(four.integer_units, 24u);
  EXPECT_EQ(four.multiply_units, 4u);
  EXPECT_EQ(smt.float_units, 8u);  // two of 256 bits
  EXPECT_EQ(four.float_units, 8u);
  EXPECT_EQ(structures("simt-x", 2, 8).float_units, 16u);
}

TEST(CoreStructures, in_order_core_renames_nothing_and_holds_architectural_registers) {
  const CoreStructures ditva = structures("ditva", 2, 4);
  for (const Structure absent : {Structure::RenameTable, Structure::CommitTable, Structure::ReorderBuffer,
                                 Structure::IssueQueueTags, Structure::IssueQueuePayload, Structure::PathTable})
    EXPECT_EQ(ditva[absent].entries, 0) << name_of(absent);
  // Of 37 registers 16 vectors, the x87 stack and two temporaries are of the vector file; two warps.
  expect_shape(ditva[Structure::IntegerRegisters], 4 * 36, 64);
  expect_shape(ditva[Structure::VectorRegisters], 4 * 38, 256);
}

TEST(CoreStructures, control_grows_with_stages_and_threads) {
  // 14 stages, 8 threads: (3 ln 14 − 1) × 1.3 × 0.5; in order 10 stages: (6 − 2 ln 10) × 1.3 × 0.5.
  EXPECT_NEAR(structures("simt-x", 2, 4).control_mm2, (3 * 2.639057 - 1) * 1.3 * 0.5, 1e-6);
  EXPECT_NEAR(structures("ditva", 2, 4).control_mm2, (6 - 2 * 2.302585) * 1.3 * 0.5, 1e-6);
}

TEST(CoreStructures, a_missing_price_and_an_unknown_core_are_errors) {
  PriceList prices = round_prices();
  prices.wires.wire_pj = 0;
  EXPECT_THAT([&] { structures_of(adapted("smt", 4, 1), "smt", prices); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("no positive 'wires.wire_pj'")));
  EXPECT_THROW(structures_of(adapted("smt", 4, 1), "gpu", round_prices()), Error);
}

TEST(Prices, of_45_nm_are_complete) { EXPECT_NO_THROW(require_complete(prices_45nm())); }

TEST(AreaReport, sums_structures_by_part) {
  const AreaReport area = area_of(adapted("simt-x", 2, 4), "simt-x", round_prices());
  EXPECT_DOUBLE_EQ(area.of(Part::Execution), 24 * 1 + 4 * 2 + 8 * 3);
  // The L1's 512 lines of 552 bits, 4 TLBs of 64 × 76 bits, at 2 µm² / 0.5 a bit; crossbar: (4 × 64 × 0.5 µm)².
  EXPECT_NEAR(area.of(Part::L1AndTlb), (512 * 552 + 4 * 64 * 76) * 4e-6 + 0.016384, 1e-9);
  double parts = 0;
  for (unsigned i = 0; i < kParts; ++i) parts += area.of(static_cast<Part>(i));
  EXPECT_NEAR(parts, area.total(), 1e-9);
  EXPECT_NEAR(area.to_json()["structures"]["L1 crossbar"].get<double>(), 0.016384, 1e-9);
  EXPECT_THAT(area.text(), ::testing::HasSubstr("path scheduling table"));
}

TEST(AreaReport, of_smt_lists_nothing_that_only_warps_have) {
  const AreaReport area = area_of(adapted("smt", 4, 1), "smt", round_prices());
  EXPECT_THAT(area.text(), ::testing::Not(::testing::HasSubstr("path")));
  EXPECT_THAT(area.text(), ::testing::Not(::testing::HasSubstr("crossbar")));
}

}  // namespace core_structures_test
}  // namespace warpfork::energy
