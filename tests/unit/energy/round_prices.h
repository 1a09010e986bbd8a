// Prices for calculations by hand, and those of the file.
#pragma once

#include <filesystem>

#include "config/description.h"
#include "energy/price_list.h"

namespace warpfork::energy {

inline PriceList round_prices() {
  PriceList prices;
  prices.feature_um = 0.1;
  prices.memory_pj = 1000;
  prices.array = {.cell_height = 10,
                  .cell_width = 20,
                  .search_cell_width = 40,
                  .wire_pitch = 2,
                  .efficiency = 0.5,
                  .reference_bits = 6400,
                  .access_pj = 8,
                  .search_fj = 2,
                  .cell_leakage_nw = 3,
                  .port_leakage_nw = 1};
  prices.wires = {.wire_pj = 0.5, .crossbar_pitch = 5, .leakage_mw = 10};
  prices.logic = {.integer_mm2 = 1,
                  .integer_pj = 10,
                  .multiply_mm2 = 2,
                  .multiply_pj = 20,
                  .float_mm2 = 3,
                  .float_pj = 30,
                  .vector_pj = 15,
                  .idle_mw = 20,
                  .control_pj = 100};
  prices.control = {.out_of_order_log = 3,
                    .out_of_order_less = 1,
                    .in_order_log = 2,
                    .in_order_less = 6,
                    .thread_doubling = 0.1,
                    .scale = 0.5};
  prices.mix = {.instruction_bits = 32};
  return prices;
}

inline PriceList prices_45nm() {
  PriceList prices;
  config::bind(prices, std::filesystem::path("machines/prices/45nm.toml"));
  return prices;
}

}  // namespace warpfork::energy
