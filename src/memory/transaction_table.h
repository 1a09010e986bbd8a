// The requests that the memory side is working on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/memory_request.h"

namespace warpfork::memory {

/// One request from a core, which the L2 serves sector by sector.
struct Transaction {
  MemoryRequest request;
  Cycle injected = 0;
  std::uint32_t line = 0;         // number of its line within the slice
  std::uint8_t slice = 0;         // of the whole chip
  std::uint8_t first_sector = 0;  // of the line
  std::uint8_t sectors = 0;       // asked for
  std::uint8_t pending = 0;       // not answered yet
};

/// A sector of a transaction: what travels through L2, MSHRs and reply network. Bits 0 to 2 are the sector's number
/// within the line, the others the transaction.
class SectorRef {
 public:
  static constexpr unsigned kMostSectors = 8;

  SectorRef() = default;
  SectorRef(std::uint32_t transaction, unsigned sector) : bits_(transaction * kMostSectors + sector) {}
  explicit SectorRef(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits() const { return bits_; }
  std::uint32_t transaction() const { return bits_ / kMostSectors; }
  unsigned sector() const { return bits_ % kMostSectors; }

 private:
  std::uint32_t bits_ = 0;
};

/// Transactions by number; numbers are reused.
class TransactionTable {
 public:
  std::uint32_t allocate() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void release(std::uint32_t number) { free_.push_back(number); }
  Transaction& operator[](std::uint32_t number) { return slots_[number]; }
  const Transaction& operator[](std::uint32_t number) const { return slots_[number]; }
  bool empty() const { return free_.size() == slots_.size(); }

 private:
  std::vector<Transaction> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace warpfork::memory
