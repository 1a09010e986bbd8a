#include "report/split_count.h"

namespace warpfork::report {

void SplitCount::add(const SplitEvent& event) {
  warp_cycles[event.threads.size()] += event.cycles;
  for (std::size_t rank = 0; rank < event.threads.size(); ++rank) {
    split_cycles[event.threads[rank]] += event.cycles;
    thread_cycles[rank] += event.threads[rank] * event.cycles;
  }
  live_thread_cycles += event.live * event.cycles;
  without_buffer_cycles += event.without_buffer * event.cycles;
}

double SplitCount::mean() const {
  std::uint64_t warps = 0, splits = 0;
  for (std::size_t n = 0; n < warp_cycles.size(); ++n) {
    warps += warp_cycles[n];
    splits += n * warp_cycles[n];
  }
  return ratio(splits, warps);
}

unsigned SplitCount::max() const {
  unsigned most = 0;
  for (unsigned n = 0; n < warp_cycles.size(); ++n)
    if (warp_cycles[n] != 0) most = n;
  return most;
}

std::vector<double> SplitCount::schedulable(unsigned lanes) const {
  std::vector<double> shares(lanes);
  std::uint64_t threads = 0;
  for (std::size_t rank = 0; rank < shares.size(); ++rank)
    shares[rank] = ratio(threads += thread_cycles[rank], live_thread_cycles);
  return shares;
}

}  // namespace warpfork::report
