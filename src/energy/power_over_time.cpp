#include "energy/power_over_time.h"

#include <algorithm>

#include "energy/gpu_energy.h"
#include "report/activity_samples.h"
#include "report/record_sum.h"

namespace warpfork::energy {

namespace {

/// What happened between two samples, as a launch of that length.
report::LaunchRecord between(const report::ActivitySample& before, const report::ActivitySample& now, Cycle cycles) {
  const report::ActivitySample since = report::difference(now, before);
  report::LaunchRecord window;
  window.cycles = cycles;
  window.activity = since.activity;
  window.memory = since.memory;
  return window;
}

}  // namespace

std::vector<double> PowerOverTime::processor() const {
  std::vector<double> sum(parts.front().size());
  for (unsigned part = 0; part < parts.size(); ++part)
    for (std::size_t window = 0; part != gpu_parts().memory && window < sum.size(); ++window)
      sum[window] += parts[part][window];
  return sum;
}

PowerOverTime power_over_time(const gpu::MachineSpec& machine, const report::LaunchRecord& launch,
                              const GpuPriceList& prices) {
  PowerOverTime power{std::vector<std::vector<double>>(gpu_parts().names.size())};
  if (launch.cycles == 0) return power;
  const std::vector<report::ActivitySample> samples = report::samples_of(launch.activity);
  const EnergyReport whole = energy_of(machine, launch, prices);
  EnergyReport rest = whole;
  report::ActivitySample before;
  const auto add = [&](const report::ActivitySample& now, Cycle cycles) {
    if (cycles == 0) return;
    const EnergyReport energy = energy_of(machine, between(before, now, cycles), prices);
    for (unsigned part = 0; part < power.parts.size(); ++part) {
      rest.nanojoules[part] -= energy.nanojoules[part];
      power.parts[part].push_back(energy.watts_of(part));
    }
    before = now;
  };
  for (const report::ActivitySample& sample : samples) add(sample, launch.activity.window);
  add({launch.activity, launch.memory}, launch.cycles - samples.size() * launch.activity.window);
  for (unsigned part = 0; part < power.parts.size(); ++part)
    for (double& window : power.parts[part]) window = std::max(0.0, window + rest.watts_of(part));
  return power;
}

}  // namespace warpfork::energy
