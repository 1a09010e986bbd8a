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

Json LaneTimeline::to_json(unsigned core) const {
  std::size_t longest = 0;
  for (const auto& windows : lanes_) longest = std::max(longest, windows.size());
  Json ipc = Json::array();
  for (const auto& windows : lanes_) {
    Json row = Json::array();
    for (std::size_t i = 0; i < longest; ++i)
      row.push_back(i < windows.size() ? double(windows[i]) / double(window_) : 0.0);
    ipc.push_back(std::move(row));
  }
  return {{"core", core}, {"window", window_}, {"ipc", std::move(ipc)}};
}

}  // namespace warpfork::report
