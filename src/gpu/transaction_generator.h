// Which transactions a warp's memory instruction sends: where it reaches in the address map, coalesced (gtx480.md,
// "Coalescing").
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>

#include "divergence/warp_split.h"
#include "gpu/core_spec.h"
#include "gpu/in_flight.h"
#include "gpu/warp_slots.h"
#include "simt/memory_access.h"

namespace warpfork::gpu {

class TransactionGenerator {
 public:
  /// `by_thread`: lanes reach shared memory one group of threads after the other, so that the record keeps the
  /// addresses; else it keeps the rounds that bank conflicts cost.
  TransactionGenerator(const CoreSpec& spec, unsigned core, bool by_thread = false)
      : spec_(spec), core_(core), by_thread_(by_thread) {
    std::iota(local_places_.begin(), local_places_.end(), std::uint8_t{0});
  }

  /// A kernel begins whose local memory takes so many bytes of each core.
  void begin_kernel(std::uint64_t local_bytes) { local_bytes_ = local_bytes; }

  /// From now on the threads of the warp in this slot have the words of local memory that those of slot `place` have if
  /// nothing is said.
  void set_local_place(unsigned warp, unsigned place) { local_places_[warp] = static_cast<std::uint8_t>(place); }

  /// Fills in the record's space, rounds, transactions and outstanding: of a Load, Store or Atomic that has made this
  /// access. Lanes of `homes` belong to warps counted from slot `first_warp` on; if there are none, all belong to the
  /// record's warp.
  void generate(InFlight& record, const simt::MemoryAccess& access, std::span<const HomeLanes> homes,
                unsigned first_warp) const;

 private:
  using Addresses = std::array<std::uint64_t, kMaxWarpSize>;
  Addresses local_addresses(unsigned warp, const simt::MemoryAccess& access, std::span<const HomeLanes> homes,
                            unsigned first_warp) const;

  const CoreSpec& spec_;
  unsigned core_;
  bool by_thread_;
  std::uint64_t local_bytes_ = 0;
  std::array<std::uint8_t, WarpSlots::kCapacity> local_places_;  // by warp slot
};

}  // namespace warpfork::gpu
