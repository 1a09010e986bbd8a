// The warp reconvergence table, RT (MULTIPATH section 3.1): meeting points and who has not come there yet.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork {

/// Index of an entry, the paper's R-Index.
using ReconvergenceIndex = std::uint8_t;
inline constexpr ReconvergenceIndex kNoReconvergence = 0xff;

struct ReconvergenceEntry {
  Pc pc = 0;                                    // where the lanes meet
  Pc reconvergence_pc = kNoPc;                  // where they go to meet others afterwards
  ActiveMask lanes;                             // the reconvergence mask: all that will meet
  ActiveMask pending;                           // those that have not arrived
  ReconvergenceIndex outer = kNoReconvergence;  // entry of reconvergence_pc
  Pc block = 0;           // first pc of the block around `pc`; differs from pc only for an early meeting point
  bool is_early = false;  // opportunistic (section 4): the meeting point lies inside a block
};

/// Entries form a forest by `outer`; the lanes of an entry are pending in its outer one.
class ReconvergenceTable {
 public:
  ReconvergenceIndex insert(const ReconvergenceEntry& entry);
  void erase(ReconvergenceIndex index) { used_ &= ~(std::uint64_t{1} << index); }
  void clear() { used_ = 0; }

  ReconvergenceEntry& operator[](ReconvergenceIndex index) { return entries_[index]; }
  const ReconvergenceEntry& operator[](ReconvergenceIndex index) const { return entries_[index]; }

  /// Takes lanes that have exited out of the entry and of all those around it.
  void remove(ReconvergenceIndex innermost, ActiveMask exited);

  /// The early entry for splits of `outer` in this block, if there is one.
  ReconvergenceIndex find_early(Pc block, ReconvergenceIndex outer) const;
  bool is_empty() const { return used_ == 0; }

  /// Calls visit(index, entry) in index order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
      const auto index = static_cast<ReconvergenceIndex>(std::countr_zero(rest));
      visit(index, entries_[index]);
    }
  }

  /// describe()'s second table; masks of `width` digits.
  std::string to_string(unsigned width) const;

 private:
  // 32 lanes part at most 31 times, and early entries have at least two lanes of their own each: 31 + 16.
  static constexpr unsigned kCapacity = 48;
  std::array<ReconvergenceEntry, kCapacity> entries_;
  std::uint64_t used_ = 0;
};

}  // namespace warpfork
