// A warp's life as text: one line per straight run of instructions, notes and tables between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/lane_passages.h"
#include "explain/request.h"
#include "simt/program.h"

namespace warpfork::explain {

/// One warp instruction, issued.
struct Issue {
  Cycle cycle = 0;
  Pc pc = 0;
  ActiveMask lanes;
  std::string homes;     // of compacted lanes: "0:0011 1:1100"; otherwise empty
  ActiveMask executed;   // of these, those whose guard was true
  bool is_last = false;  // of its run: a branch, a barrier or an exit
};

/// Printed sample:
///          cycle       pc   line  lanes  instruction
///              1  starts on core 0
///                 stack    pc   rpc  lanes
///                           0     -  1111  top
///          14-47     0-3    7-10  1111   mov.u32 %r1, %tid.x; … @%p1 bra ODD;
///             47  parts: 1010 to pc 6 (B2), 0101 to pc 4 (B1); reconvergence point pc 8 (B3)
///                 stack    pc   rpc  lanes
///                           8     -  1111
///                           4     8  0101
///                           6     8  1010  top
/// Runs of several splits that issue by turns each have a line, with overlapping cycles.
///
/// With temporal lanes two columns more say in which lane the run's threads were, and when they entered it:
///          cycle       pc   line  lanes  lane  entered          instruction
///          14-53     0-3    7-10  1111      3  18-21, …, 57-60  mov.u32 %r1, %tid.x; … @%p1 bra ODD;
class LifeText {
 public:
  /// `width`: digits of a mask. `passages`: by the numbers that issue() returns, what the two columns say when all is
  /// over; null = there are none.
  LifeText(const simt::Program& program, const Request& request, unsigned width, const LanePassages* passages);

  /// The number of the line on which it stands, or LanePassages::kNoLine.
  std::size_t issue(Issue issue);
  void note(Cycle cycle, const std::string& text);
  /// What the tables are after this cycle, for a text that begins later.
  void remember(Cycle cycle, const std::string& tables);
  void tables(Cycle cycle, const std::string& text);

  /// The lines, with a last one that says what the limit has cut off, or where the warp's instructions lie if none is
  /// in the window.
  std::string finish();

 private:
  struct Run {
    Issue first;
    Cycle last_cycle = 0;
    Pc last_pc = 0;
    bool is_open = true;
    std::size_t line = LanePassages::kNoLine;
  };
  /// In the text, where a line's two columns come.
  struct Place {
    std::size_t offset = 0, line = LanePassages::kNoLine;
  };

  bool is_in_window(Cycle cycle) const;
  /// Whether what happens in this cycle is printed; before the first that is, prints the tables as they were.
  bool shows(Cycle cycle);
  void add(const std::string& line);
  void flush();
  void print(const Run& run);
  std::string lines_of(Pc first, Pc last) const;
  std::string instructions_of(const Run& run) const;
  std::string with_lanes() const;

  const simt::Program& program_;
  const Request request_;
  unsigned width_;
  const LanePassages* const passages_;
  std::size_t line_width_ = 4;
  std::string text_;
  std::uint64_t lines_ = 0;
  std::vector<Run> runs_;       // not printed yet, by first cycle
  std::size_t next_line_ = 0;   // of the next run
  std::vector<Place> places_;   // the heading's first
  std::string earlier_tables_;  // of before `from_cycle`
  std::optional<Cycle> first_issue_;
  Cycle last_issue_ = 0;
  std::uint64_t cut_off_ = 0;  // instructions after the limit was reached
  Cycle cut_until_ = 0;
};

}  // namespace warpfork::explain
