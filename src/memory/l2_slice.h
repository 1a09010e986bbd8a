// One slice of the L2 cache with the queues around it: a memory sub-partition of GPGPU-Sim's Fermi.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/address_mapping.h"
#include "memory/cache_statistics.h"
#include "memory/dram_channel.h"
#include "memory/l2_spec.h"
#include "memory/mshr.h"
#include "memory/ring.h"
#include "memory/tag_array.h"
#include "memory/transaction_table.h"

namespace warpfork::memory {

/// interconnect → fixed delay → sector queue → tags → replies, or → miss queue → DRAM → fill → replies.
/// Lines have sectors; a miss reserves its line. Writes stay here until their line is evicted: a write that misses
/// takes a line without fetching it, and a sector written in part is fetched only when it is read. Atomics read and
/// leave the sector dirty. One access, one fill, one fill's answer and one miss move in each L2 cycle.
class L2Slice {
 public:
  /// `number` counts slices over the whole chip. Throws Error for a description that contradicts itself.
  L2Slice(const L2Spec& spec, const AddressMapping& mapping, TransactionTable& transactions, unsigned number);

  /// Whether all sectors of another request would find room in the sector queue.
  bool can_accept() const { return sectors_.size() + sectors_per_line_ <= spec_.request_queue; }
  /// A request from the interconnect enters the fixed delay. Needs can_accept().
  void accept(std::uint32_t transaction, Cycle now);
  /// One L2 cycle. Returns whether there is work for the next one; if not, see next_arrival().
  bool tick(Cycle now);
  /// Core cycle in which the fixed delay of a request ends; kNever when none waits.
  Cycle next_arrival() const { return delayed_.empty() ? kNever : delayed_.front().ready; }

  bool has_reply() const { return !replies_.empty(); }
  SectorRef reply() const { return replies_.front(); }
  void pop_reply() { replies_.pop(); }

  const DramRequest* dram_request() const { return to_dram_.empty() ? nullptr : &to_dram_.front(); }
  void pop_dram_request() { to_dram_.pop(); }
  bool can_fill() const { return fills_.size() < spec_.fill_queue; }
  /// Data of the read with this DramRequest::tag. Needs can_fill().
  void fill(std::uint32_t tag) { fills_.push(tag); }

  /// Sectors (a bit each) of the line become valid and most recently used, at no cost in time.
  void warm(std::uint64_t line, std::uint8_t sectors);
  /// Accesses and outcomes by sector.
  const CacheStatistics& statistics() const { return statistics_; }
  /// Forgets all times; needs to be idle. The contents stay.
  void reset_clock() { port_free_ = 0; }

 private:
  struct Delayed {
    Cycle ready;
    std::uint32_t transaction;
  };
  enum class Result : std::uint8_t { Refused, Hit, Miss, Pending };

  void answer_fill();
  void take_fill();
  void send_miss();
  void access(Cycle now);
  void leave_delay(Cycle now);
  Result read(SectorRef ref, const Transaction& transaction, Cycle now);
  Result read_miss(SectorRef ref, const Transaction& transaction, std::uint32_t place, Cycle now);
  Result write(SectorRef ref, const Transaction& transaction, Cycle now);
  void take_place(std::uint32_t place, std::uint64_t line, Cycle now);
  void write_back(std::uint32_t place, Cycle now);
  DramRequest request_for(std::uint64_t line) const;
  std::uint32_t& entry_of(std::uint32_t place, unsigned sector) { return entries_[place * sectors_per_line_ + sector]; }

  L2Spec spec_;
  const AddressMapping& mapping_;
  TransactionTable& transactions_;
  unsigned number_;
  unsigned sectors_per_line_;
  TagArray tags_;
  Mshr mshr_;
  std::vector<std::uint32_t> entries_;  // by place and sector: the miss register of a pending sector
  Ring<Delayed> delayed_;
  unsigned delayed_sector_ = 0;  // sectors of delayed_.front() that have left
  Ring<SectorRef> sectors_;
  Ring<SectorRef> replies_;
  Ring<SectorRef> answers_;  // their sector was filled
  Ring<DramRequest> misses_;
  Ring<DramRequest> to_dram_;
  Ring<std::uint32_t> fills_;
  Cycle port_free_ = 0;
  CacheStatistics statistics_;
};

}  // namespace warpfork::memory
