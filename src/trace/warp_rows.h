// One warp on a timeline: a row for each split that it has at a time.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "gpu/resident_block.h"
#include "report/launch_listener.h"
#include "trace/code_text.h"
#include "trace/event_writer.h"

namespace warpfork::trace {

/// The first row holds the warp's block. Within it, and on rows of their own where there are more of them, are the
/// splits that may issue or wait at a barrier, in them the instructions that they issue and the time at the barrier. A
/// split stays in its row as long as it has the same lanes. Where threads move between warps, a warp is a place.
class WarpRows {
 public:
  /// `first`: the rows' tracks are from this one on. `width`: digits of a mask.
  WarpRows(EventWriter& writer, const CodeText& code, Track first, unsigned slot, unsigned width);

  /// The block is there, since this cycle or before.
  void begin(const gpu::ResidentBlock& block, WarpId warp, Dim3 index, Cycle at);
  bool is_open() const { return block_ != nullptr; }
  /// The warp's split issues; before changed().
  void issued(const report::IssueEvent& event);
  /// The block has executed a step, which has changed the warp's splits, or may have: what they are from this cycle on.
  void changed(Cycle at);
  /// What is open ends here.
  void end(Cycle at);

 private:
  struct Split {
    ActiveMask lanes;
    std::string homes;  // of a compacted split
    bool waits = false;
    Pc pc = 0;
    bool is_same(const Split& other) const { return lanes == other.lanes && homes == other.homes; }
  };
  struct Row {
    Track track;
    bool is_used = false;
    Split split;
  };

  std::vector<Split> look() const;
  Row& row_of(ActiveMask lanes);
  Row& free_row();
  void begin_split(const Split& split, const std::vector<Split>& before, Cycle at);
  void end_split(Row& row, Cycle at);
  void set_waiting(Row& row, bool waits, Cycle at);
  std::string mask(ActiveMask lanes) const { return lanes.to_string(width_); }

  EventWriter& writer_;
  const CodeText& code_;
  Track first_;
  unsigned slot_, width_;
  const gpu::ResidentBlock* block_ = nullptr;  // null: nothing is open
  WarpId warp_ = 0;
  std::deque<Row> rows_;
};

}  // namespace warpfork::trace
