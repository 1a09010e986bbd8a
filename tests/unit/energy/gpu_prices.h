// Prices of a GPU for calculations by hand, those of the file, and machines as their files describe them.
#pragma once

#include <filesystem>
#include <string>

#include "config/description.h"
#include "energy/price_list.h"
#include "gpu/machine_spec.h"
#include "unit/energy/round_prices.h"

namespace warpfork::energy {

inline GpuPriceList round_gpu_prices() {
  GpuPriceList prices;
  static_cast<Technology&>(prices) = round_prices();
  prices.threads = {.integer_pj = 1,
                    .multiply_pj = 2,
                    .float_add_pj = 3,
                    .float_multiply_pj = 4,
                    .double_pj = 50,
                    .integer_um2 = 100,
                    .multiply_um2 = 200,
                    .float_add_um2 = 300,
                    .float_multiply_um2 = 400};
  prices.pipeline = {.decode_pj = 100, .clock_fj = 10, .stages = 10, .stage_bits = 100};
  return prices;
}

inline GpuPriceList prices_40nm() {
  GpuPriceList prices;
  config::bind(prices, std::filesystem::path("machines/prices/40nm.toml"));
  return prices;
}

inline gpu::MachineSpec machine(const std::string& name, const std::string& lanes = "simt",
                                const std::string& divergence = "pdom") {
  gpu::MachineSpec spec;
  config::bind(spec, std::filesystem::path("machines") / (name + ".toml"));
  spec.core.lanes.organisation = lanes;
  spec.divergence.mechanism = divergence;
  return spec;
}

}  // namespace warpfork::energy
