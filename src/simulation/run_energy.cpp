#include "simulation/run_energy.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/wrapped.h"
#include "config/description.h"
#include "gpu/machine_spec.h"
#include "process/install_paths.h"
#include "report/launch_totals.h"

namespace warpfork::simulation {

namespace {

std::filesystem::path file_of(const std::string& prices) {
  if (prices.ends_with(".toml")) return prices;
  return process::share_folder() / "machines" / "prices" / (prices + ".toml");
}

energy::GpuPriceList read_prices(const std::string& name) {
  const std::filesystem::path file = file_of(name);
  energy::GpuPriceList prices;
  config::bind(prices, file);
  try {
    energy::require_complete(prices);
  } catch (const Error& error) {
    throw Error("{}: {}", file.string(), error.what());
  }
  return prices;
}

/// What `value` says of each part.
template <class Value>
report::Json by_part(const Value& value) {
  report::Json json = report::Json::object();
  const std::span<const std::string_view> names = energy::gpu_parts().names;
  for (unsigned part = 0; part < names.size(); ++part) json[std::string(names[part])] = value(part);
  return json;
}

}  // namespace

void require_price_list(const std::string& prices) {
  if (!std::filesystem::exists(file_of(prices)))
    throw Error(
        "energy.prices: there is no price list '{}'\n  give a name in machines/prices/, as 40nm, or a file that ends "
        "in .toml",
        prices);
}

std::filesystem::path price_list(const report::Json& machine) { return file_of(machine.at("energy").at("prices")); }

RunEnergy::RunEnergy(const report::Json& machine, std::span<const report::LaunchRecord> launches)
    : sum_(energy::gpu_parts()), peak_(energy::gpu_parts()) {
  gpu::MachineSpec spec;
  config::bind_json(spec, machine, "the machine of the run");
  const energy::GpuPriceList prices = read_prices(spec.energy.prices);
  for (const report::LaunchRecord& launch : launches)
    if (launch.timed)
      launches_.push_back({launch.name, energy_of(spec, launch, prices), launch.activity.window,
                           power_over_time(spec, launch, prices)});
  sum_ = energy_of(spec, report::sum_launches(launches).sums, prices);
  peak_ = peak_of(spec, prices);
  area_ = area_of(spec, prices);
}

std::string RunEnergy::text() const {
  return sum_.text(peak_) +
         wrapped(fmt::format("power {:.2f} W on average, {:.2f} W at most; energy-delay product {:.3e} J·s; {:.1f} mm²",
                             sum_.watts(), peak_.watts(), sum_.edp(), area_.total()),
                 "", "  ");
}

void RunEnergy::add_sums_to(report::Json& document) const {
  report::Json& energy = document["energy"] = sum_.to_json();
  energy["peak_watts"] = peak_.watts();
  energy["edp"] = sum_.edp();
  energy["part_watts"] = by_part([this](unsigned part) { return sum_.watts_of(part); });
  energy["part_peak_watts"] = by_part([this](unsigned part) { return peak_.watts_of(part); });
  energy["part_edp"] = by_part([this](unsigned part) { return sum_.edp_of(part); });
  document["area"] = area_.to_json();
}

void RunEnergy::add_to(report::Json& document) const {
  add_sums_to(document);
  report::Json& energy = document["energy"];
  energy["launches"] = report::Json::array();
  for (const Launch& launch : launches_)
    energy["launches"].push_back(
        {{"name", launch.name},
         {"seconds", launch.energy.seconds},
         {"processor", launch.energy.processor()},
         {"total", launch.energy.total()},
         {"watts", launch.energy.watts()},
         {"window", launch.window},
         {"watts_over_time", launch.power.processor()},
         {"part_watts_over_time", by_part([&launch](unsigned part) { return launch.power.parts[part]; })}});
}

}  // namespace warpfork::simulation
