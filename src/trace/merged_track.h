// A row of a timeline on which one thing follows the other.
#pragma once

#include <string>
#include <string_view>

#include "trace/event_writer.h"

namespace warpfork::trace {

/// What goes on without a gap under the same name is one slice. It is written when something else begins.
class MergedTrack {
 public:
  MergedTrack(EventWriter& writer, Track track, std::string_view name) : writer_(writer), track_(track), name_(name) {}

  void add(Cycle from, Cycle cycles, const std::string& what) {
    if (from != until_ || what != what_) {
      finish();
      from_ = from;
      what_ = what;
    }
    until_ = from + cycles;
  }

  /// Writes what has not been.
  void finish() {
    if (until_ == from_) return;
    writer_.name_track(track_, name_);
    writer_.slice(track_, from_, until_ - from_, what_);
    from_ = until_;
  }

 private:
  EventWriter& writer_;
  Track track_;
  std::string name_;
  Cycle from_ = 0, until_ = 0;  // until_ == from_: nothing is under way
  std::string what_;
};

}  // namespace warpfork::trace
