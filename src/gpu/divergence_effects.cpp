#include "gpu/divergence_effects.h"

namespace warpfork::gpu {

void DivergenceEffects::started(unsigned slot) {
  census_.count_block(slot);
  update_warps(slot, WarpSet::first(blocks_.warps_per_block()));
}

void DivergenceEffects::apply(unsigned slot, WarpSet changed, Cycle now) {
  const DomainEffects& done = blocks_.block(slot).effects();
  const unsigned first_warp = blocks_.first_warp(slot);
  if (homes_.regroups()) compaction_.take(first_warp, done.compactions, done.formed, now);
  if (!done.table_moves.empty()) tables_.send(done.table_moves, first_warp, *listener_, now);
  update_warps(slot, changed);
}

void DivergenceEffects::update_warps(unsigned slot, WarpSet changed) {
  changed.for_each([&](unsigned warp) { update_warp(blocks_.first_warp(slot) + warp); });
  serve_waiting_splits();
}

/// The splits of the warp may be others now.
void DivergenceEffects::update_warp(unsigned warp) {
  const std::span<const SplitId> runnable = blocks_.block_of(warp).domain().runnable(blocks_.in_block(warp));
  const unsigned without_entry = buffers_.bind(warp, runnable);
  homes_.note(warp, runnable);
  blocks_.note_end(warp);
  census_.count_splits(warp, without_entry);
  buffers_.refresh_warp(warp);
}

}  // namespace warpfork::gpu
