// The branch target buffer: where a taken branch went last time.
#pragma once

#include <cstdint>
#include <vector>

namespace warpfork::ooo {

struct BranchTargetBufferSpec {
  unsigned sets = 1024;  ///< a power of two
  unsigned ways = 4;
};

/// Set-associative, replaces the branch whose last update is longest ago. Holds the targets of all branches: direct
/// ones are known after decode, indirect ones after execution.
class BranchTargetBuffer {
 public:
  explicit BranchTargetBuffer(const BranchTargetBufferSpec& spec);

  /// 0 if the branch is not known.
  std::uint64_t target(std::uint64_t pc) const;
  void update(std::uint64_t pc, std::uint64_t target);

 private:
  struct Entry {
    std::uint64_t pc = 0, target = 0;
  };

  std::size_t set_of(std::uint64_t pc) const { return ((pc ^ pc >> 16) & (sets_ - 1)) * ways_; }

  unsigned sets_, ways_;
  std::vector<Entry> entries_;  // of a set: latest updated first
};

}  // namespace warpfork::ooo
