// A block's divergence domain made of one independent mechanism per warp.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/error.h"
#include "divergence/divergence_domain.h"
#include "divergence/divergence_spec.h"

namespace warpfork {

/// The places for the splits of one warp in DivergenceDomain::splits_; ids are already set.
using SplitSlots = std::span<WarpSplit, kSplitsPerWarp>;

/// Mechanism has the verbs of DivergenceDomain for one warp, with a slot (0 … 63) instead of a SplitId and a bool
/// (runnable() may have changed) instead of DomainEffects:
///   explicit Mechanism(const DivergenceSpec&);
///   void launch(SplitSlots, Pc entry, ActiveMask lanes);
///   bool advance(unsigned slot, std::span<const Path>, Pc reconvergence), wait(unsigned slot), release(unsigned slot);
///   void begin_kernel(std::span<const FrontierPlace> order), if it chooses by that;
///   bool wait_for_others(unsigned slot), meet(SlotSet), unblock(), if it gathers threads;
///   std::vector<StateTable> tables() const, if the splits that may issue are not all that there is;
///   static constexpr bool kWatchesBlocks; where true, bool enter_block(unsigned slot, Pc first) is called when all
///   lanes of a split go on to one block; where false the split's pc is set and the mechanism is not asked.
/// A mechanism with split and reconvergence tables also has table_use() and table_moves().
/// Split `slot` of warp w has the id 64 w + slot.
template <typename Mechanism>
class WarpLocal final : public DivergenceDomain {
 public:
  explicit WarpLocal(const DivergenceSpec& spec) : spec_(spec) {
    watches_blocks_ = Mechanism::kWatchesBlocks;
    gathers_ = kGathers;
  }

  void begin_kernel(std::span<const FrontierPlace> order) override { order_ = order; }

  void launch(Pc entry, std::span<const ActiveMask> lanes, std::uint64_t) override {
    if (warps_.size() != lanes.size()) resize(lanes.size());
    if constexpr (requires(Mechanism & warp) { warp.begin_kernel(order_); })
      for (Mechanism& warp : warps_) warp.begin_kernel(order_);
    for (std::size_t warp = 0; warp < lanes.size(); ++warp)
      warps_[warp].launch(SplitSlots(&splits_[warp * kSplitsPerWarp], kSplitsPerWarp), entry, lanes[warp]);
  }

  std::span<const SplitId> runnable(WarpId warp) const override { return warps_[warp].runnable(); }

  const DomainEffects& advance(SplitId id, std::span<const Path> paths, Pc reconvergence) override {
    const WarpSplit& split = splits_[id];
    if (paths.size() == 1 && paths[0].lanes == split.lanes) {
      if (pass(id, paths[0].pc)) return changed(id, false);
      if constexpr (Mechanism::kWatchesBlocks)
        if (paths[0].pc != split.reconvergence_pc)
          return changed(id, warp_of(id).enter_block(slot_of(id), paths[0].pc));
    }
    return changed(id, warp_of(id).advance(slot_of(id), paths, reconvergence));
  }

  const DomainEffects& wait(SplitId id) override { return changed(id, warp_of(id).wait(slot_of(id))); }
  const DomainEffects& release(SplitId id) override { return changed(id, warp_of(id).release(slot_of(id))); }
  const DomainEffects& wait_for_others(SplitId id) override {
    if constexpr (kGathers) return changed(id, warp_of(id).wait_for_others(slot_of(id)));
    throw not_gathered();
  }
  const DomainEffects& meet(WarpId warp, SlotSet slots) override {
    if constexpr (kGathers) return changed(warp * kSplitsPerWarp, warps_[warp].meet(slots));
    throw not_gathered();
  }
  const DomainEffects& unblock(WarpId warp) override {
    if constexpr (kGathers) return changed(warp * kSplitsPerWarp, warps_[warp].unblock());
    throw not_gathered();
  }
  ActiveMask live(WarpId warp) const override { return warps_[warp].live(); }
  std::vector<StateTable> tables(WarpId warp) const override {
    if constexpr (requires { warps_[warp].tables(); })
      return warps_[warp].tables();
    else
      return DivergenceDomain::tables(warp);
  }

  TableUse table_use() const override {
    TableUse most;
    if constexpr (kHasTables)
      for (const Mechanism& warp : warps_) {
        const TableUse use = warp.table_use();
        most = {std::max(most.splits, use.splits), std::max(most.reconvergence, use.reconvergence)};
      }
    return most;
  }

 private:
  static constexpr bool kGathers = requires(Mechanism & warp) { warp.meet(SlotSet()); };
  static constexpr bool kHasTables = requires(Mechanism & warp) { warp.table_moves(); };

  void resize(std::size_t warps) {
    warps_.assign(warps, Mechanism(spec_));
    make_splits(warps);
  }
  static unsigned slot_of(SplitId id) { return id % kSplitsPerWarp; }
  Mechanism& warp_of(SplitId id) { return warps_[id / kSplitsPerWarp]; }
  const DomainEffects& changed(SplitId id, bool is_changed) {
    if constexpr (kHasTables) collect_moves(id / kSplitsPerWarp);
    effects_.changed = is_changed ? WarpSet::single(id / kSplitsPerWarp) : WarpSet();
    return effects_;
  }

  void collect_moves(WarpId warp) {
    effects_.table_moves.clear();
    auto& moves = warps_[warp].table_moves();
    if (moves.empty()) return;
    for (const auto& move : moves) effects_.table_moves.push_back({warp, move.index, move.to_memory});
    moves.clear();
  }

  DivergenceSpec spec_;
  std::span<const FrontierPlace> order_;
  std::vector<Mechanism> warps_;
};

}  // namespace warpfork
