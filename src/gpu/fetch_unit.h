// Instruction fetch: one entry a cycle, round robin over those without a decoded instruction (gtx480.md, "Front end").
#pragma once

#include <array>
#include <optional>

#include "gpu/core_spec.h"
#include "gpu/instruction_buffers.h"
#include "memory/cache.h"
#include "memory/memory_system.h"
#include "simt/address_map.h"

namespace warpfork::gpu {

class FetchUnit {
 public:
  FetchUnit(const CoreSpec& spec, unsigned core, memory::MemorySystem& memory);

  /// A kernel begins whose first instruction lies at this address.
  void begin_kernel(std::uint64_t code) { code_ = code; }

  struct Fetched {
    unsigned entry;
    Pc pc;
    unsigned count;  // instructions
  };
  /// What the last cycle fetched, to be decoded now.
  std::optional<Fetched> take() {
    std::optional<Fetched> fetched = fetched_;
    fetched_.reset();
    return fetched;
  }
  /// One cycle: fetches for one of `wanting` that is not already waiting for a miss.
  void cycle(const InstructionBuffers& buffers, const EntrySet& wanting, Cycle now) {
    if (wanting.any() || cache_.has_ready() || cache_.outgoing() != nullptr) fetch(buffers, wanting, now);
  }
  /// The line of an instruction miss has come.
  void fill(const MemoryRequest& response, Cycle now) { cache_.fill(response.address, now); }

  /// A launch ends: what was fetched is forgotten; lines that are under way still arrive.
  void end_kernel() {
    fetched_.reset();
    cache_.end_kernel();
  }

  bool busy(EntrySet wanting) const {
    return fetched_.has_value() || cache_.has_ready() || cache_.outgoing() != nullptr || !missing_.contains(wanting);
  }
  const memory::CacheStatistics& statistics() const { return cache_.statistics(); }

 private:
  std::uint64_t address_of(Pc pc) const { return code_ + std::uint64_t{pc} * instruction_bytes_; }
  void fetch(const InstructionBuffers& buffers, const EntrySet& wanting, Cycle now);
  void deliver(const InstructionBuffers& buffers, unsigned entry);

  memory::MemorySystem& memory_;
  memory::Cache cache_;
  unsigned core_, instruction_bytes_, fetch_bytes_, capacity_;
  unsigned at_once_;  // instructions of a fetch that lies within a line
  std::uint64_t code_ = simt::kCode.begin;
  unsigned last_ = EntrySet::kCapacity - 1;
  EntrySet missing_;
  std::array<std::uint64_t, EntrySet::kCapacity> awaited_{};  // by entry: what a line on its way was asked for
  std::optional<Fetched> fetched_;
};

}  // namespace warpfork::gpu
