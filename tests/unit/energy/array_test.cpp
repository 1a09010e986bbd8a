#include "energy/array.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/energy/round_prices.h"

namespace warpfork::energy {
namespace array_test {

TEST(Array, of_one_port_has_the_area_of_its_cells_over_the_efficiency) {
  // 1000 bits × (10 F × 20 F) × (0.1 µm)² = 2000 µm², of which half is cells.
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 100, .bits = 10}, round_prices()), 0.004);
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 100, .bits = 10, .copies = 3}, round_prices()), 0.012);
}

TEST(Array, grows_by_two_word_pitches_a_port_and_by_two_bit_lines_of_ports_that_write) {
  // One reading port: (10 + 4) × (20 + 2) F²; one more that writes: (10 + 8) × (20 + 2 + 4) F².
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 1, .bits = 1, .reads = 1}, round_prices()), 14 * 22 * 0.01 / 0.5 * 1e-6);
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 1, .bits = 1, .reads = 1, .writes = 2}, round_prices()),
                   18 * 26 * 0.01 / 0.5 * 1e-6);
}

TEST(Array, that_is_searched_has_wider_cells) {
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 1, .bits = 1, .searches = 1}, round_prices()), 10 * 40 * 0.01 / 0.5 * 1e-6);
  EXPECT_DOUBLE_EQ(area_mm2({.entries = 1, .bits = 1, .searches = 2}, round_prices()), 14 * 44 * 0.01 / 0.5 * 1e-6);
}

TEST(Array, access_costs_the_reference_price_and_grows_with_the_root_of_the_area) {
  // The reference holds 6400 bits and costs 8 pJ for 64 bits: a fourth of the bits, half of the side.
  EXPECT_DOUBLE_EQ(access_pj({.entries = 100, .bits = 64}, 64, round_prices()), 8);
  EXPECT_DOUBLE_EQ(access_pj({.entries = 25, .bits = 64}, 64, round_prices()), 4);
  EXPECT_DOUBLE_EQ(access_pj({.entries = 100, .bits = 64, .copies = 4}, 16, round_prices()), 2);
  EXPECT_EQ(access_pj({}, 64, round_prices()), 0);
}

// 25 rows × 10 F × 0.1 µm / √0.5 against the reference's side of √(6400 × 2 µm² / 0.5); four times as wide, as deep.
TEST(Array, columns_cost_their_depth_however_many_stand_side_by_side) {
  const double depth = 25 / std::sqrt(0.5), side = std::sqrt(6400 * 2 / 0.5);
  EXPECT_NEAR(column_pj({.entries = 25, .bits = 64}, 64, round_prices()), 8 * depth / side, 1e-12);
  EXPECT_NEAR(column_pj({.entries = 25, .bits = 256}, 256, round_prices()), 4 * 8 * depth / side, 1e-12);
  // What is deeper than wide is folded.
  const Array deep{.entries = 6400, .bits = 1};
  EXPECT_DOUBLE_EQ(column_pj(deep, 1, round_prices()), access_pj(deep, 1, round_prices()));
}

TEST(Array, search_compares_every_bit_of_a_copy) {
  EXPECT_DOUBLE_EQ(search_pj({.entries = 50, .bits = 10, .searches = 1, .copies = 4}, round_prices()), 0.5 * 2);
}

TEST(Array, leaks_in_cells_ports_and_the_logic_around_them) {
  // 1000 cells × (3 + 2 × 1) nW and half of (14 × 22 F²)'s 0.00616 mm² at 10 mW.
  EXPECT_NEAR(leakage_mw({.entries = 100, .bits = 10, .reads = 1}, round_prices()), 0.005 + 0.0308, 1e-12);
}

TEST(Array, crossbar_is_a_square_of_its_wires) {
  // 4 ports × 10 bits × 5 F × 0.1 µm = 20 µm a side; a bit crosses two of them at 0.5 pJ/mm.
  EXPECT_DOUBLE_EQ(crossbar_mm2(4, 10, round_prices()), 0.0004);
  EXPECT_DOUBLE_EQ(crossbar_pj(4, 10, 10, round_prices()), 10 * 0.04 * 0.5);
}

/// STSIMT, Table I, at 40 nm: CACTI's areas, within 15 % in every row. Its own efficiency and pitch come from this
/// table.
TEST(Array, reproduces_the_register_files_of_stsimt_within_15_percent) {
  PriceList prices = prices_45nm();
  prices.feature_um = 0.040;
  const auto near = [](double ours, double paper) { EXPECT_NEAR(ours / paper, 1, 0.15); };
  const double wide = area_mm2({.entries = 256, .bits = 256, .copies = 8}, prices);
  const double narrow = area_mm2({.entries = 256, .bits = 32, .copies = 64}, prices);
  near(wide, 0.2365);
  near(narrow, 0.2279);
  near(crossbar_mm2(8, 256, prices), 2.0302);
  near(8 * crossbar_mm2(8, 32, prices), 0.2664);
  near(wide + crossbar_mm2(8, 256, prices), 2.2667);
  near(narrow + 8 * crossbar_mm2(8, 32, prices), 0.4943);
}

/// Horowitz, ISSCC 2014: 64 bits cost 10 pJ from 8 KB, 20 pJ from 32 KB, 100 pJ from 1 MB. The law has one of the
/// three.
TEST(Array, law_of_the_root_goes_through_published_energies_of_caches) {
  const PriceList prices = prices_45nm();
  const auto cache = [&](double kilobytes) {
    return access_pj({.entries = kilobytes * 1024 / 64, .bits = 552}, 64, prices);
  };
  EXPECT_NEAR(cache(8), 10, 0.01);
  EXPECT_NEAR(cache(32), 20, 0.01);
  EXPECT_NEAR(cache(1024), 100, 15);
}

}  // namespace array_test
}  // namespace warpfork::energy
