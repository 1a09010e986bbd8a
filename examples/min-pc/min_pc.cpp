// A mechanism without stack and tables: of a warp's splits that with the lowest pc runs, and splits that come to the
// same pc are one (Collange, "Stack-less SIMT reconvergence at low cost", 2011). Compilers lay code out so that threads
// that are behind have lower pcs.
#include "divergence/distinct_paths.h"
#include "divergence/plugin.h"
#include "divergence/warp_local.h"

namespace {

using namespace warpfork;

class MinPc {
 public:
  static constexpr bool kWatchesBlocks = true;  // a jump may lead behind other splits

  explicit MinPc(const DivergenceSpec&) {}

  void launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
    slots_ = slots.data();
    used_ = waiting_ = SlotSet();
    launched_ = live_ = lanes;
    if (lanes.any()) enter({entry, lanes});
    choose();
  }

  std::span<const SplitId> runnable() const { return {&chosen_, (used_ - waiting_).any() ? 1u : 0u}; }

  bool advance(unsigned slot, std::span<const Path> given, Pc) {
    const DistinctPaths paths(given, slots_[slot]);
    live_ -= slots_[slot].lanes - paths.lanes();  // these have exited
    used_.erase(slot);
    for (const Path& path : paths.paths()) enter(path);
    choose();
    return true;
  }

  bool enter_block(unsigned slot, Pc first) {
    const Path path{first, slots_[slot].lanes};
    return advance(slot, {&path, 1}, kNoPc);
  }

  bool wait(unsigned slot) {
    waiting_.insert(slot);
    choose();
    return true;
  }

  bool release(unsigned slot) {
    waiting_.erase(slot);
    choose();
    return true;
  }

  ActiveMask live() const { return live_; }

  std::vector<StateTable> tables() const {
    using enum StateTable::Kind;
    StateTable splits{"splits", {{"pc", ProgramCounter}, {"lanes", Mask}, {"", Text}}, {}, {}};
    used_.for_each([&](unsigned slot) {
      splits.rows.push_back({pc_text(slots_[slot].pc), slots_[slot].lanes.to_string(mask_width(launched_)),
                             waiting_.contains(slot)      ? "waits"
                             : slots_[slot].id == chosen_ ? "runs"
                                                          : ""});
    });
    return {splits};
  }

 private:
  /// The path's lanes join the split that is there, if it is not at a barrier.
  void enter(const Path& path) {
    SlotSet free;
    for (unsigned slot = 0; slot < kSplitsPerWarp; ++slot) {
      const bool is_used = used_.contains(slot);
      if (!is_used && free.none()) free.insert(slot);
      if (!is_used || waiting_.contains(slot) || slots_[slot].pc != path.pc) continue;
      slots_[slot].lanes |= path.lanes;
      return;
    }
    slots_[free.lowest()].pc = path.pc;
    slots_[free.lowest()].lanes = path.lanes;
    used_.insert(free.lowest());
  }

  /// The lowest pc runs until it comes to the next one's: there the domain is told.
  void choose() {
    const SlotSet ready = used_ - waiting_;
    Pc lowest = kNoPc, next = kNoPc;
    ready.for_each([&](unsigned slot) {
      if (const Pc pc = slots_[slot].pc; pc < lowest) {
        next = lowest;
        lowest = pc;
        chosen_ = slots_[slot].id;
      } else if (pc < next) {
        next = pc;
      }
    });
    if (ready.any()) slots_[chosen_ % kSplitsPerWarp].reconvergence_pc = next;
  }

  WarpSplit* slots_ = nullptr;
  SlotSet used_, waiting_;
  SplitId chosen_ = 0;
  ActiveMask launched_, live_;
};

DomainMaker maker(const DivergenceSpec& spec, Foresight) {
  return [spec] { return std::make_unique<WarpLocal<MinPc>>(spec); };
}

const DivergenceMechanism kMinPc{.name = "min-pc",
                                 .summary = "of a warp's splits the one with the lowest pc may issue",
                                 .paper = "Collange 2011",
                                 .maker = maker,
                                 .one_path = true,
                                 .waits_at_reconvergence = false,
                                 .waits_as_a_warp = false,
                                 .meets_by_postdominators = false,  // who has jumped behind others has passed them
                                 .meets_at_postdominators = false,
                                 .masks_depend_on_time = true};

}  // namespace

WARPFORK_DIVERGENCE_PLUGIN(kMinPc)
