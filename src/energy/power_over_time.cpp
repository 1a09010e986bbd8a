#include "energy/power_over_time.h"

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

std::vector<double> power_over_time(const gpu::MachineSpec& machine, const report::LaunchRecord& launch,
                                    const GpuPriceList& prices) {
  if (launch.cycles == 0) return {};
  const std::vector<report::ActivitySample> samples = report::samples_of(launch.activity);
  const EnergyReport whole = energy_of(machine, launch, prices);
  std::vector<double> watts;
  double rest = whole.processor();
  report::ActivitySample before;
  const auto add = [&](const report::ActivitySample& now, Cycle cycles) {
    if (cycles == 0) return;
    const EnergyReport energy = energy_of(machine, between(before, now, cycles), prices);
    rest -= energy.processor();
    watts.push_back(energy.watts());
    before = now;
  };
  for (const report::ActivitySample& sample : samples) add(sample, launch.activity.window);
  add({launch.activity, launch.memory}, launch.cycles - samples.size() * launch.activity.window);
  for (double& window : watts) window += rest * 1e-9 / whole.seconds;
  return watts;
}

}  // namespace warpfork::energy
