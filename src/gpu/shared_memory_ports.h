// The banks of shared memory as the lanes of a core find them in one cycle (STSIMT section 3.5).
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpfork::gpu {

/// A bank serves one 4-byte word a cycle, to whoever asks for that word.
class SharedMemoryPorts {
 public:
  explicit SharedMemoryPorts(unsigned banks) : banks_(banks) {}

  /// Whether the word at this address is served in this cycle.
  bool serve(std::uint64_t address, Cycle now) {
    const std::uint64_t word = address / 4;
    Bank& bank = banks_[word % banks_.size()];
    if (bank.cycle == now) return bank.word == word;
    bank = {now, word};
    return true;
  }
  void forget() { banks_.assign(banks_.size(), {}); }

 private:
  struct Bank {
    Cycle cycle = kNever;
    std::uint64_t word = 0;
  };
  std::vector<Bank> banks_;
};

}  // namespace warpfork::gpu
