#include "gpu/warp_admission.h"

#include <algorithm>

namespace warpfork::gpu {

WarpAdmission::WarpAdmission(const CoreSpec& spec, unsigned lanes) : spec_(spec), lanes_(lanes) {}

void WarpAdmission::begin_kernel(unsigned threads, WarpRegisters registers, std::uint32_t shared_bytes) {
  const auto count = static_cast<unsigned>(lanes_.size());
  lanes_.assign(count, {spec_.registers / count, spec_.warps / count, 0});
  local_places_ = WarpSlots::first(spec_.warps);
  held_.assign(WarpSlots::kCapacity, {});
  left_in_block_.assign(WarpSlots::kCapacity, 0);
  block_threads_ = threads;
  warps_ = (threads + spec_.warp_size - 1) / spec_.warp_size;
  registers_ = registers;
  shared_bytes_ = shared_bytes;
  blocks_ = threads_ = 0;
  fits_ = plan();
}

unsigned WarpAdmission::threads_of(unsigned warp) const {
  return std::min(spec_.warp_size, block_threads_ - warp * spec_.warp_size);
}

/// Finds a lane for each warp of a further block; false if there is none for one of them.
bool WarpAdmission::plan() {
  if (blocks_ == spec_.blocks || threads_ + block_threads_ > spec_.threads) return false;
  if (std::uint64_t{blocks_ + 1} * shared_bytes_ > spec_.shared.bytes) return false;
  std::vector<Lane> lanes = lanes_;
  plan_.clear();
  for (unsigned warp = 0; warp < warps_; ++warp) {
    const unsigned threads = threads_of(warp);
    const Lane* chosen = choose(lanes, threads);
    if (chosen == nullptr) return false;
    plan_.push_back(static_cast<unsigned>(chosen - lanes.data()));
    hold(lanes[plan_.back()], threads);
  }
  return true;
}

void WarpAdmission::hold(Lane& lane, unsigned threads) const {
  lane.registers -= registers_.of(threads);
  --lane.warps;
  if (is_partial(threads)) lane.partial_threads += threads;
}

const WarpAdmission::Lane* WarpAdmission::choose(const std::vector<Lane>& lanes, unsigned threads) const {
  const Lane* best = nullptr;
  for (const Lane& lane : lanes) {
    if (!has_room(lane, threads)) continue;
    if (is_partial(threads) && completes(lane, threads)) return &lane;
    if (best == nullptr || lane.registers > best->registers) best = &lane;
  }
  return best;
}

std::span<const unsigned> WarpAdmission::admit(unsigned first_warp) {
  plan();
  for (unsigned warp = 0; warp < warps_; ++warp) {
    const unsigned threads = threads_of(warp);
    hold(lanes_[plan_[warp]], threads);
    const unsigned place = local_places_.lowest();
    local_places_.erase(place);
    held_[first_warp + warp] = {plan_[warp], threads, place};
  }
  left_in_block_[first_warp] = warps_;
  ++blocks_;
  threads_ += block_threads_;
  admitted_ = plan_;
  fits_ = plan();
  return admitted_;
}

void WarpAdmission::free_warp(unsigned warp) {
  const Warp& held = held_[warp];
  Lane& lane = lanes_[held.lane];
  lane.registers += registers_.of(held.threads);
  ++lane.warps;
  local_places_.insert(held.local_place);
  if (is_partial(held.threads)) lane.partial_threads -= held.threads;
  threads_ -= held.threads;
  if (--left_in_block_[warp / warps_ * warps_] == 0) --blocks_;
  if (!fits_) fits_ = plan();
}

}  // namespace warpfork::gpu
