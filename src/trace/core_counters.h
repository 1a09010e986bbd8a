// A core's counters on a timeline: what it did in each stretch of time.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>

#include "gpu/in_flight_pool.h"
#include "report/stall_cause.h"
#include "trace/event_writer.h"

namespace warpfork::trace {

/// Stretches begin at multiples of their length. A value stands from the begin of its stretch on and is written only
/// where it is another one than before. What is told must not begin before what was told last.
class CoreCounters {
 public:
  /// `in_flight`: null = nobody knows what memory owes.
  CoreCounters(EventWriter& writer, unsigned process, Cycle window, const gpu::InFlightPool* in_flight)
      : writer_(writer), process_(process), window_(window), in_flight_(in_flight) {}

  void issued(Cycle at, unsigned threads);
  void stalled(Cycle from, Cycle cycles, report::StallCause cause);
  void occupied(Cycle from, Cycle cycles, unsigned live_warps);
  /// The core's launch, or what is drawn of it, ends: all are 0 from here on.
  void finish(Cycle at);

 private:
  struct Sample {
    Cycle begin = 0;
    std::uint64_t issues = 0, threads = 0, warp_cycles = 0;
    std::array<Cycle, report::kStallCauses> stalls{};
  };

  Sample& at(Cycle now);
  template <class Add>
  void spread(Cycle from, Cycle cycles, Add&& add);
  void write_before(Cycle now);
  void write(const Sample& sample, Cycle cycles);
  void set(Cycle at, const char* name, std::string arguments);

  EventWriter& writer_;
  unsigned process_;
  Cycle window_;
  const gpu::InFlightPool* in_flight_;
  std::deque<Sample> samples_;               // not yet written, one for each stretch
  std::map<std::string, std::string> last_;  // by counter
};

}  // namespace warpfork::trace
