// Where threads of a warp wait for others that an instruction names (PTX ISA, all that is .sync; docs/adr/0037).
#pragma once

#include <vector>

#include "divergence/divergence_domain.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Of a block whose mechanism gathers threads. A split that comes to an instruction whose member mask names threads of
/// other splits waits until these have come to such an instruction, too, wherever it stands, or have exited.
class WarpMeetings {
 public:
  WarpMeetings(const simt::Launch& launch, simt::BlockContext& context, const DivergenceDomain& domain);

  /// A new block: nobody has come.
  void start();

  enum class Outcome {
    Executes,  // all that it names are in the split, or have met it
    GoesOn,    // likewise, at a barrier for them in several places: there is nothing to be done
    Meets,     // the last of those that it names, which have waited for it
    Waits      // from now on
  };
  /// The split comes to the instruction at its pc, which names members.
  Outcome come(const WarpSplit& split);

  /// Takes splits of the warp that have met at one place, and wait no longer; none if there are none.
  SlotSet take_met(WarpId warp);

  bool waits(SplitId split) const { return waiting_[split / kSplitsPerWarp].contains(split % kSplitsPerWarp); }
  /// The warp's splits that wait.
  SlotSet waiting_slots(WarpId warp) const { return waiting_[warp]; }
  unsigned waiting_threads() const { return waiting_threads_; }

 private:
  const WarpSplit& split(WarpId warp, unsigned slot) const { return domain_.split(warp * kSplitsPerWarp + slot); }
  const simt::Instruction& instruction_of(const WarpSplit& split) const { return launch_.program->code[split.pc]; }
  ActiveMask executing(const WarpSplit& split) const;
  ActiveMask named_by(const WarpSplit& split) const;
  ActiveMask named_by(const WarpSplit& split, unsigned lane) const;
  SlotSet met_by(const WarpSplit& split, unsigned lane) const;
  SlotSet meeting_of(WarpId warp, unsigned slot) const;

  const simt::Launch& launch_;
  simt::BlockContext& context_;
  const DivergenceDomain& domain_;
  // By warp: splits that wait; of these, those that have met and are still to be taken; those that do not wait since.
  std::vector<SlotSet> waiting_, meeting_, have_met_;
  unsigned waiting_threads_ = 0;
};

}  // namespace warpfork::gpu
