#include "report/split_count.h"

#include <vector>

#include "report/lane_histogram.h"
#include "report/ratio.h"

namespace warpfork::report {

namespace {

template <std::size_t N>
void add(std::array<std::uint64_t, N>& sum, const Json& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) sum.at(i) += counts[i].get<std::uint64_t>();
}

}  // namespace

void SplitCount::add(const SplitEvent& event) {
  warp_cycles[event.threads.size()] += event.cycles;
  for (std::size_t rank = 0; rank < event.threads.size(); ++rank) {
    split_cycles[event.threads[rank]] += event.cycles;
    thread_cycles[rank] += event.threads[rank] * event.cycles;
  }
  live_thread_cycles += event.live * event.cycles;
  without_buffer_cycles += event.without_buffer * event.cycles;
}

Json to_json(const SplitCount& count, unsigned warp_size) {
  const std::size_t lanes = counted_lanes(warp_size);
  std::uint64_t warps = 0, splits = 0, most = 0;
  for (std::size_t n = 0; n < count.warp_cycles.size(); ++n) {
    warps += count.warp_cycles[n];
    splits += n * count.warp_cycles[n];
    if (count.warp_cycles[n] != 0) most = n;
  }
  std::vector<double> schedulable(lanes);
  std::uint64_t threads = 0;
  for (std::size_t rank = 0; rank < schedulable.size(); ++rank)
    schedulable[rank] = ratio(threads += count.thread_cycles[rank], count.live_thread_cycles);
  return {{"mean", ratio(splits, warps)},
          {"max", most},
          {"warp_cycles", first_of(count.warp_cycles, lanes + 1)},
          {"split_cycles", first_of(count.split_cycles, lanes + 1)},
          {"thread_cycles", first_of(count.thread_cycles, lanes)},
          {"live_thread_cycles", count.live_thread_cycles},
          {"schedulable", schedulable},
          {"without_buffer_cycles", count.without_buffer_cycles}};
}

void add(SplitCount& sum, const Json& count) {
  add(sum.warp_cycles, count.at("warp_cycles"));
  add(sum.split_cycles, count.at("split_cycles"));
  add(sum.thread_cycles, count.at("thread_cycles"));
  sum.live_thread_cycles += count.at("live_thread_cycles").get<std::uint64_t>();
  sum.without_buffer_cycles += count.at("without_buffer_cycles").get<std::uint64_t>();
}

}  // namespace warpfork::report
