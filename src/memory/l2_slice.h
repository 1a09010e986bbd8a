// One slice of the L2 cache with the queues around it: a memory sub-partition of GPGPU-Sim's Fermi.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/address_mapping.h"
#include "memory/cache_statistics.h"
#include "memory/clock_ratio.h"
#include "memory/crossbar.h"
#include "memory/dram_request.h"
#include "memory/l2_spec.h"
#include "memory/mshr.h"
#include "memory/ring.h"
#include "memory/tag_array.h"
#include "memory/transaction_table.h"

namespace warpfork::memory {

/// interconnect → fixed delay → sector queue → tags → replies, or → miss queue → DRAM → fill → replies.
/// Lines have sectors; a miss reserves its line. Writes stay here until their line is evicted: a write that misses
/// takes a line without fetching it, and a sector written in part is fetched only when it is read. Atomics read and
/// leave the sector dirty. One request, one sector, one fill, one fill's answer and one miss move in each L2 cycle.
class alignas(64) L2Slice {
 public:
  /// `number` counts slices over the whole chip: it is the slice's port in both networks.
  /// Throws Error for a description that contradicts itself.
  L2Slice(const L2Spec& spec, const AddressMapping& mapping, unsigned number, TransactionTable& transactions,
          Crossbar& requests, Crossbar& replies);

  /// A transaction is on its way: in core cycle `at` all of its flits are behind the slice's port of the request
  /// network.
  void expect(std::uint32_t transaction, unsigned flits, Cycle at);
  /// One L2 cycle, which is `tick` of the interconnect clock and falls into core cycle `now`. Returns the first cycle
  /// in which there will be work: now + 1 means the next L2 cycle, kNever that something must arrive first.
  Cycle tick(Tick tick, Cycle now);

  const DramRequest* dram_request() const { return to_dram_.empty() ? nullptr : &to_dram_.front(); }
  void pop_dram_request() { to_dram_.pop(); }
  bool can_fill() const { return fills_.size() < spec_.fill_queue; }
  /// Data of the read with this DramRequest::tag. Needs can_fill().
  void fill(std::uint32_t tag) { fills_.push(tag); }

  /// Sectors (a bit each) of the line become valid and most recently used, by a write dirty, at no cost in time: what
  /// they take the place of is gone. Nothing happens where all places of the set wait for fills.
  void warm(std::uint64_t line, std::uint8_t sectors, bool is_write = false);
  /// Accesses and outcomes by sector.
  const CacheStatistics& statistics() const { return statistics_; }
  /// Forgets all times; needs to be idle. The contents stay.
  void reset_clock() { port_free_ = 0; }

 private:
  /// What the slice must know of a transaction, copied here so that the hot path reads one array in order.
  struct Request {
    Cycle ready = 0;  // behind the port; after its acceptance, end of the fixed delay
    std::uint32_t line = 0;
    std::uint32_t transaction = 0;
    std::uint8_t core = 0;
    std::uint8_t first_sector = 0;
    std::uint8_t sectors = 0;
    std::uint8_t flits = 0;
    AccessKind kind = AccessKind::Load;
  };
  enum class Result : std::uint8_t { Refused, Hit, Miss, Pending };

  void accept(Cycle now);
  void answer_fill(Tick tick);
  void take_fill();
  void send_miss();
  void access(Tick tick, Cycle now);
  void leave_delay(Cycle now);
  Result read(const Request& request, unsigned sector, Tick tick, Cycle now);
  Result read_miss(const Request& request, unsigned sector, std::uint32_t place, Cycle now);
  Result write(const Request& request, unsigned sector, Tick tick, Cycle now);
  void acknowledge(const Request& request, unsigned sector, Tick tick);
  std::uint32_t find(std::uint64_t line);
  void take_place(std::uint32_t place, std::uint64_t line, Cycle now);
  void write_back(std::uint32_t place, Cycle now);
  DramRequest request_for(std::uint64_t line) const;
  bool can_reply(Tick tick) const { return replies_.can_send(number_, read_flits_, tick + 1); }
  std::uint32_t& entry_of(std::uint32_t place, unsigned sector) { return entries_[place * sectors_per_line_ + sector]; }

  // All requests from the network port to the tags, in order: accepted_ of them have left the port, entering_ of those
  // have left the fixed delay for the sector queue, and so have entered_ sectors of the next one; accessed_ sectors of
  // the first one are done.
  Ring<Request> requests_;
  std::uint32_t accepted_ = 0, entering_ = 0, entered_ = 0, accessed_ = 0;
  std::uint32_t queued_sectors_ = 0;  // that have left the fixed delay and not been accessed
  std::uint32_t last_place_ = 0;      // of the line that was looked up last
  Ring<SectorRef> answers_;           // their sector was filled
  Ring<DramRequest> misses_;
  Ring<DramRequest> to_dram_;
  Ring<std::uint32_t> fills_;
  Cycle port_free_ = 0;
  L2Spec spec_;
  const AddressMapping& mapping_;
  unsigned number_;
  TransactionTable& transactions_;
  Crossbar& request_network_;
  Crossbar& replies_;
  unsigned sectors_per_line_;
  unsigned read_flits_, acknowledgement_flits_;
  TagArray tags_;
  Mshr mshr_;
  std::vector<std::uint32_t> entries_;  // by place and sector: the miss register of a pending sector
  CacheStatistics statistics_;
};

}  // namespace warpfork::memory
