#include "simulation/kernel_launches.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cuda/kernel_filter.h"
#include "report/kernel_name.h"

namespace warpfork::simulation {

report::Json launches_of_kernels(const report::Json& launches, const std::string& kernels, std::string_view option) {
  const cuda::KernelFilter filter(kernels);
  report::Json matching = report::Json::array();
  std::vector<std::string> launched;
  for (const report::Json& launch : launches) {
    const std::string name = launch.at("name"), readable = report::readable_kernel_name(name);
    if (filter.matches(name)) matching.push_back(launch);
    if (std::find(launched.begin(), launched.end(), readable) == launched.end()) launched.push_back(readable);
  }
  if (matching.empty() && !kernels.empty())
    throw Error("{} '{}': no such kernel was launched; no result is written\n  launched: {}", option, kernels,
                launched.empty() ? "none" : fmt::format("{}", fmt::join(launched, ", ")));
  return matching;
}

}  // namespace warpfork::simulation
