#include "report/shares.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpfork::report {

namespace {
constexpr std::uint64_t kWhole = 1000;
}

std::vector<std::uint64_t> tenths_of_percent(std::span<const std::uint64_t> parts) {
  const std::uint64_t sum = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
  std::vector<std::uint64_t> tenths(parts.size(), 0);
  if (sum == 0) return tenths;
  struct Rest {
    double part;
    std::size_t place;
  };
  std::vector<Rest> rests;
  std::uint64_t missing = kWhole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = static_cast<double>(parts[i]) / static_cast<double>(sum) * static_cast<double>(kWhole);
    tenths[i] = std::min(missing, static_cast<std::uint64_t>(exact));
    missing -= tenths[i];
    rests.push_back({exact - static_cast<double>(tenths[i]), i});
  }
  std::ranges::stable_sort(rests, std::greater<>(), &Rest::part);
  for (std::size_t i = 0; missing > 0; --missing, ++i) ++tenths[rests[i % rests.size()].place];
  return tenths;
}

}  // namespace warpfork::report
