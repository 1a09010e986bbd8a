// Events of a timeline in Google's Trace Event Format (JSON), which Perfetto opens.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/types.h"

namespace warpfork::trace {

/// A row of the picture: what the format calls a thread of a process. Whoever draws on it keeps it: its events are in
/// the order of time.
struct Track {
  unsigned process = 0, thread = 0;
  Cycle last = 0;  // on the time axis: nothing is written that was before
};

/// One core cycle is one microsecond of the format, the unit of its times. Names may be any text; `arguments` are
/// members of a JSON object without its braces, or nothing. Events are appended to a file that its owner has begun with
/// another event, whole lines at a time, so that a file which was cut off still has whole events.
///
/// Written sample:
///   ,
///   {"ph":"X","pid":2,"tid":1000,"ts":4,"dur":1,"name":"bra","args":{"pc":3,"lanes":"1111"}}
class EventWriter {
 public:
  /// `bytes`: of events that are there. Throws Error if the file cannot be opened.
  explicit EventWriter(const std::string& file, std::uint64_t bytes = 0);
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// Cycles of events are counted from there on.
  void begin_launch(Cycle origin) { origin_ = origin; }

  /// Once for all launches; whatever has the smaller number is drawn above.
  void name_process(unsigned process, std::string_view name);
  void name_track(const Track& track, std::string_view name);

  /// What lasts and may have others within it. Begins and ends pair like brackets.
  void begin(Track& track, Cycle at, std::string_view name, std::string_view arguments = "");
  void end(Track& track, Cycle at);
  /// What lasts and has nothing within it.
  void slice(Track& track, Cycle from, Cycle cycles, std::string_view name, std::string_view arguments = "");
  void instant(Track& track, Cycle at, std::string_view name, std::string_view arguments = "");
  /// Values of the process's counter from there on, by name as in `arguments`.
  void counter(unsigned process, Cycle at, std::string_view name, std::string_view arguments);

  /// Of all events.
  std::uint64_t bytes() const { return bytes_; }
  /// The last time of any event, on the time axis.
  Cycle latest() const { return latest_; }
  void flush();
  /// Why the system took no more; nothing is written from then on. Empty = it took all.
  const std::string& failure() const { return failure_; }

 private:
  Cycle time_of(Track& track, Cycle at);
  void name(std::string_view what, unsigned process, unsigned thread, std::string_view name, unsigned order);
  template <class... Fields>
  void event(std::string_view arguments, fmt::format_string<Fields...> format, Fields&&... fields);

  int file_ = -1;
  std::string failure_;
  Cycle origin_ = 0, latest_ = 0;
  std::uint64_t bytes_;
  std::set<std::pair<unsigned, unsigned>> named_;
  fmt::memory_buffer text_;  // not yet written
};

/// As JSON writes a text: with its quotes.
std::string json_text(std::string_view text);

}  // namespace warpfork::trace
