// Whether a further block fits on a core whose lanes free registers warp by warp, and to which lane each of its warps
// goes (STSIMT section 3.7, "TSIMT+").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/core_spec.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// What a warp takes of the file: so many for each thread, and so many for all of them (STSIMT section 4.1).
struct WarpRegisters {
  unsigned of_thread = 0, scalars = 0;

  unsigned of(unsigned threads) const { return threads * of_thread + scalars; }
};

/// A warp takes registers for its threads alone, from the slice of one lane, until it has exited; a block takes its
/// shared memory until its last warp has. A new block comes only when all of it fits. Its warps go to the lane with the
/// most free registers, the lowest of several; but a partly filled one goes to a lane where others leave of a full
/// warp's registers enough for it ("another half filled warp is allocated to the lane where the half filled warp from
/// the first block resides"; that no more of them gather in one lane than make up a full warp is ours, as the others
/// would have nothing to do).
class WarpAdmission {
 public:
  WarpAdmission(const CoreSpec& spec, unsigned lanes);

  /// A kernel begins, with every lane empty. `shared_bytes` and `threads`: of a block.
  void begin_kernel(unsigned threads, WarpRegisters registers, std::uint32_t shared_bytes);

  /// Whether another block fits.
  bool fits() const { return fits_; }
  /// A block that fits comes to the warp slots from this one on: the lanes of its warps, until the next call.
  std::span<const unsigned> admit(unsigned first_warp);
  /// Whose place in local memory an admitted warp has, of as many as the core holds warps.
  unsigned local_place(unsigned warp) const { return held_[warp].local_place; }
  /// The warp has exited, and nothing of it is under way.
  void free_warp(unsigned warp);

 private:
  struct Lane {
    unsigned registers = 0, warps = 0;  // free
    unsigned partial_threads = 0;       // of partly filled warps that it holds
  };
  struct Warp {
    unsigned lane = 0, threads = 0, local_place = 0;
  };

  unsigned threads_of(unsigned warp) const;
  bool plan();
  /// The lane holds a warp of so many threads.
  void hold(Lane& lane, unsigned threads) const;
  bool has_room(const Lane& lane, unsigned threads) const {
    return lane.warps != 0 && lane.registers >= registers_.of(threads);
  }
  bool is_partial(unsigned threads) const { return threads < spec_.warp_size; }
  /// Whether the partly filled warps there leave room for so many threads in a full one's registers.
  bool completes(const Lane& lane, unsigned threads) const {
    const unsigned begun = lane.partial_threads % spec_.warp_size;
    return begun != 0 && begun + threads <= spec_.warp_size;
  }
  const Lane* choose(const std::vector<Lane>& lanes, unsigned threads) const;

  const CoreSpec& spec_;
  unsigned block_threads_ = 0, warps_ = 0;
  WarpRegisters registers_;
  std::uint32_t shared_bytes_ = 0;
  std::vector<Lane> lanes_;
  WarpSlots local_places_;               // that are free
  std::vector<Warp> held_;               // by warp slot
  std::vector<unsigned> left_in_block_;  // by warp slot of a block's first warp
  unsigned blocks_ = 0, threads_ = 0;
  std::vector<unsigned> plan_, admitted_;  // lanes of the next block's warps, and of the latest one's
  bool fits_ = false;
};

}  // namespace warpfork::gpu
