// The sixteen barriers of a thread block (PTX ISA, "bar, barrier").
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/divergence_domain.h"
#include "simt/barrier.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Who has come to which barrier, and which splits wait there. A barrier opens when as many threads have come as it
/// waits for. Threads that have exited and lanes that never held a thread have come with their warp, as the ISA counts
/// whole warps; to a barrier for all of the block they have come without.
class BlockBarriers {
 public:
  BlockBarriers(const simt::Launch& launch, simt::BlockContext& context, const DivergenceDomain& domain);
  BlockBarriers(const BlockBarriers&) = delete;

  /// A new block: nobody has come.
  void start();

  /// Threads of the split that are at home in one warp come to the instruction's barrier; unless it is a bar.arrive,
  /// the split waits until the barrier opens. Throws Error for what the program does wrong, with thread, PC and source
  /// line.
  void come(const simt::Instruction& instruction, SplitId split, HomeLanes home);

  /// Opens the barriers to which all have come: to be called after somebody has come or exited. Results of reductions
  /// are written.
  void open(unsigned live_threads);

  /// Takes the next split that need wait no more; false if there is none.
  bool take_released(SplitId& split);

  /// Whether anybody has come to a barrier that has not opened since.
  bool any_in_use() const { return in_use_ != 0; }
  bool waits(SplitId split) const { return waits_[split] != 0; }
  /// The warp's splits that wait.
  SlotSet waiting_slots(WarpId warp) const { return waiting_slots_[warp]; }
  unsigned waiting_threads() const { return waiting_threads_; }

  /// For deadlock reports, a line per barrier that somebody has come to:
  ///   barrier 1: 32 threads have come, it waits for 64 threads
  std::string describe() const;

 private:
  /// Threads of one warp that wait.
  struct Waiting {
    const simt::Instruction* instruction = nullptr;
    SplitId split = 0;
    HomeLanes home;
  };
  struct Barrier {
    std::vector<ActiveMask> arrived;  // by home warp
    std::vector<Waiting> waiting;
    unsigned came = 0;             // threads
    unsigned threads = 0;          // that it waits for; 0 = all of the block
    unsigned voters = 0, yes = 0;  // of a reduction
  };

  /// Of all rows of the home warp's lanes, which must agree; `yes` counts them.
  struct Arrival {
    unsigned number = 0, threads = 0, yes = 0;
  };
  Arrival arrival_of(const simt::Instruction& instruction, HomeLanes home) const;
  [[noreturn]] void fail(const simt::Instruction& instruction, HomeLanes home, unsigned lane, std::string_view cause,
                         std::string_view remedy) const;
  bool is_full(const Barrier& barrier, unsigned live_threads) const;
  void open(Barrier& barrier);
  unsigned lanes_in_block() const { return warps_ * launch_.warp_size; }

  const simt::Launch& launch_;
  simt::BlockContext& context_;
  const DivergenceDomain& domain_;
  unsigned warps_;
  std::array<Barrier, simt::kAllBarriers> barriers_;
  std::uint32_t in_use_ = 0;         // barriers that somebody has come to since they opened last
  std::vector<std::uint8_t> waits_;  // by split: at how many barriers (of a compacted one, its warps may name several)
  std::vector<SlotSet> waiting_slots_;  // by warp: those of its splits that wait at some barrier
  unsigned waiting_threads_ = 0;
  std::vector<SplitId> released_;  // in the order in which they came
  std::size_t taken_ = 0;          // of these
};

}  // namespace warpfork::gpu
