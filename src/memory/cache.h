// A core-side cache of a Fermi-class GPU: L1 data, L1 instruction, constant or texture.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "memory/cache_spec.h"
#include "memory/cache_statistics.h"
#include "memory/memory_request.h"
#include "memory/mshr.h"
#include "memory/ring.h"
#include "memory/tag_array.h"

namespace warpfork::memory {

/// Timing only. Reads that miss ask for the whole line; their tokens come out of pop_ready() after fill().
/// Global stores write through without allocating and drop the line they hit. Stores to local memory are kept if their
/// line is here (or may be allocated, CacheSpec::allocate_local_stores), else they are sent on.
/// Atomics do not go through this cache.
class Cache {
 public:
  enum class Outcome : std::uint8_t {
    Hit,               // done (a load's data after CacheSpec::hit_latency); nothing will come back
    Miss,              // a request is queued; a load's token will be ready after its fill, a store's
                       // acknowledgement comes as the response to the request itself
    HitPending,        // waits for a line that is already on its way
    ReservationFailed  // nothing changed, try again: no room in the miss registers, their merge list, the miss queue
                       // or the set, or the data port is busy
  };

  /// `keys`: what the machine description calls it, for errors: "core.l1d".
  explicit Cache(const CacheSpec& spec, std::string_view keys = "cache");

  /// One access; the request lies within a line. `local`: to the thread's local memory.
  Outcome access(const MemoryRequest& request, Cycle now, bool local = false);
  /// Whether it is a read that was refused and will be until pop_outgoing() or fill().
  bool refuses(const MemoryRequest& request) const {
    return refused_ == RefusedRead{request.address >> line_shift_, request.kind};
  }
  /// Does what access() does with a read that hits, and less for it; false, and nothing is done, of any other.
  bool hit(std::uint64_t address, unsigned bytes) {
    if (port_busy_until_ != 0 || bytes > spec_.data_port_bytes) return false;
    const std::uint32_t place = tags_.find(address >> line_shift_);
    if (place == TagArray::kNone || !tags_.state(place).valid) return false;
    tags_.touch(place);
    ++statistics_.hits;
    ++statistics_.accesses;
    return true;
  }
  /// What a load or a global store that takes no time leaves behind, the line of a load among it, of which nobody else
  /// hears and which is not counted. True if the next level has nothing to do with it: a load of a line that is here or
  /// on its way.
  bool pass(std::uint64_t address, bool is_write);
  /// The oldest request that waits for the interconnect, or null.
  const MemoryRequest* outgoing() const { return miss_queue_.empty() ? nullptr : &miss_queue_.front(); }
  void pop_outgoing() {
    miss_queue_.pop();
    refused_ = {};
  }
  /// The line with this address has arrived: its waiters become ready, in order of arrival.
  void fill(std::uint64_t line_address, Cycle now);
  bool has_ready() const { return !ready_.empty(); }
  std::uint32_t pop_ready() {
    const std::uint32_t token = ready_.front();
    ready_.pop();
    return token;
  }
  /// A launch ends: the next one counts its cycles from 0. Lines and outstanding misses stay.
  void end_kernel() { port_busy_until_ = 0; }
  /// Drops all lines, dirty ones too; outstanding misses stay.
  void invalidate() {
    tags_.drop_all();
    refused_ = {};
  }

  const CacheStatistics& statistics() const { return statistics_; }
  const CacheSpec& spec() const { return spec_; }

 private:
  /// A read that finds no room finds none before something leaves for the next level or arrives from there: who tries
  /// again in each cycle is told at once.
  struct RefusedRead {
    std::uint64_t line = ~std::uint64_t{0};
    AccessKind kind = AccessKind::Load;
    bool operator==(const RefusedRead&) const = default;
  };

  Outcome read(const MemoryRequest& request, Cycle now);
  Outcome read_hit(const MemoryRequest& request, std::uint32_t place, Cycle now);
  Outcome read_miss(const MemoryRequest& request, std::uint64_t line);
  Outcome refuse(const MemoryRequest& request, std::uint64_t line);
  Outcome write_through(const MemoryRequest& request);
  /// Unless it is on its way.
  void drop(std::uint64_t line);
  Outcome write_local(const MemoryRequest& request);
  Outcome merge(std::uint32_t entry, std::uint32_t token);
  void take_place(std::uint32_t place, std::uint64_t line, std::uint16_t core);
  bool queue_has_room(unsigned requests) const { return miss_queue_.size() + requests <= spec_.miss_queue; }
  Outcome count(Outcome outcome);

  CacheSpec spec_;
  unsigned line_shift_;
  TagArray tags_;
  Mshr mshr_;
  std::vector<std::uint32_t> entries_;  // by place: the miss register of a pending line
  Ring<MemoryRequest> miss_queue_;
  Ring<std::uint32_t> ready_;
  Cycle port_busy_until_ = 0;  // no access before the cycle after this one; 0: free
  RefusedRead refused_;
  CacheStatistics statistics_;
};

}  // namespace warpfork::memory
