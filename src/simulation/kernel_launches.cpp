#include "simulation/kernel_launches.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cuda/kernel_filter.h"
#include "report/kernel_name.h"
#include "report/launch_range.h"

namespace warpfork::simulation {

std::vector<report::LaunchRecord> launches_of_kernels(const std::vector<report::LaunchRecord>& launches,
                                                      const std::string& kernels, std::string_view option) {
  const cuda::KernelFilter filter(kernels);
  std::vector<report::LaunchRecord> matching;
  std::vector<std::string> launched;
  for (const report::LaunchRecord& launch : launches) {
    const std::string readable = report::readable_kernel_name(launch.name);
    if (filter.matches(launch.name)) matching.push_back(launch);
    if (std::find(launched.begin(), launched.end(), readable) == launched.end()) launched.push_back(readable);
  }
  if (matching.empty() && !kernels.empty())
    throw Error("{} '{}': no such kernel was launched; no result is written\n  launched: {}", option, kernels,
                launched.empty() ? "none" : fmt::format("{}", fmt::join(launched, ", ")));
  return matching;
}

void require_launch(std::size_t launches, const std::string& range) {
  if (!range.empty() && launches < report::launch_range(range).first)
    throw Error("--launches {}: the program made {}; no result is written", range, counted(launches, "launch"));
}

}  // namespace warpfork::simulation
