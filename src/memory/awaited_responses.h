// Which cores await a response of the memory side.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/bit_field.h"

namespace warpfork::memory {

/// From the sending of a request until its response is taken.
class AwaitedResponses {
 public:
  explicit AwaitedResponses(unsigned cores) : counts_(cores) {}

  void sent(unsigned core) {
    ++counts_[core];
    awaiting_ |= bit(core);
  }
  void taken(unsigned core) {
    if (--counts_[core] == 0) awaiting_ -= bit(core);
  }
  /// A bit each.
  std::uint64_t cores() const { return awaiting_; }

 private:
  std::vector<unsigned> counts_;  // by core
  std::uint64_t awaiting_ = 0;    // those with one at least
};

}  // namespace warpfork::memory
