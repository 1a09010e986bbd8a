#include "report/lane_timeline.h"

#include <algorithm>

namespace warpfork::report {

void LaneTimeline::add(unsigned lane, unsigned threads, Cycle now) {
  while (now / window_ >= kWindows) widen();
  if (lane >= lanes_.size()) lanes_.resize(lane + 1);
  std::vector<std::uint32_t>& windows = lanes_[lane];
  const auto window = static_cast<std::size_t>(now / window_);
  if (window >= windows.size()) windows.resize(window + 1);
  windows[window] += threads;
}

void LaneTimeline::widen() {
  window_ *= 2;
  for (std::vector<std::uint32_t>& windows : lanes_) {
    for (std::size_t i = 0; i < windows.size(); ++i) windows[i / 2] = (i % 2 == 0 ? 0 : windows[i / 2]) + windows[i];
    windows.resize((windows.size() + 1) / 2);
  }
}

std::vector<std::vector<double>> LaneTimeline::ipc() const {
  std::size_t longest = 0;
  for (const auto& windows : lanes_) longest = std::max(longest, windows.size());
  std::vector<std::vector<double>> all;
  for (const auto& windows : lanes_) {
    std::vector<double>& row = all.emplace_back(longest, 0.0);
    std::transform(windows.begin(), windows.end(), row.begin(),
                   [&](std::uint32_t threads) { return double(threads) / double(window_); });
  }
  return all;
}

}  // namespace warpfork::report
