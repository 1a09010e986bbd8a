// The cycles that a watched warp's instructions take of temporal lanes.
#pragma once

#include <string>
#include <vector>

#include "gpu/in_flight.h"

namespace warpfork::explain {

/// The cycles in which threads entered lanes, told in their order. Printed samples, of a lane that stalled, of threads
/// that enter a special-function unit every fourth cycle, and of more than three ranges:
///   12-19, 21-44
///   12-136 by 4
///   12-19, …, 190-210
class LaneCycles {
 public:
  void add(unsigned lane, Cycle now);

  /// "3", or of lanes that share the threads "0,5".
  std::string lanes() const;
  std::string cycles() const;

 private:
  struct Range {
    Cycle first = 0, last = 0;
    Cycle stride = 0;  // of one cycle: 0
    std::string text() const;
  };
  std::vector<Range> ranges_;
  std::uint64_t lanes_ = 0;
};

/// Finds out to which issue of a warp the threads belong that enter a lane later, and keeps their cycles line by line
/// of the text.
class LanePassages {
 public:
  static constexpr std::size_t kNoLine = ~std::size_t{0};

  /// The warp has issued the instruction for these lanes. Several instructions may belong to one line; of those on no
  /// line nothing is kept.
  void issued(const simt::Instruction& instruction, ActiveMask lanes, std::size_t line);
  /// Of an instruction of which issued() was not told nothing is kept either.
  void entered(const gpu::InFlight& record, unsigned lane, ActiveMask threads, Cycle now);

  /// Nothing if no thread of the line has entered a lane.
  const LaneCycles& of(std::size_t line) const { return line < lines_.size() ? lines_[line] : none_; }

 private:
  static constexpr unsigned kNoLane = ~0u;
  /// An instruction of which threads have not entered yet. All threads of one enter a lane before the next one's.
  struct Open {
    const simt::Instruction* instruction = nullptr;
    ActiveMask lanes;
    std::size_t line = kNoLine;
    unsigned lane = kNoLane;  // since the first have
    ActiveMask missing;       // likewise
  };

  std::vector<Open> open_;  // oldest first
  std::vector<LaneCycles> lines_;
  const LaneCycles none_{};
};

}  // namespace warpfork::explain
