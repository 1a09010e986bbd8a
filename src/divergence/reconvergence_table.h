// The warp reconvergence table, RT (MULTIPATH section 3.1): reconvergence points and who has not come there yet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "divergence/state_table.h"

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
  Pc block = 0;           // first pc of the block around `pc`; differs from pc only for an early reconvergence point
  bool is_early = false;  // opportunistic (section 4): the reconvergence point lies inside a block
};

/// Entries form a forest by `outer`; the lanes of an entry are pending in its outer one.
///
/// A table of limited size keeps the entries that were last needed; the others are in memory. Whoever needs an entry
/// there brings it back, in exchange for the one that has been in the table longest. Lanes that exit are taken out of
/// all entries without that: see docs/adr/0014.
class ReconvergenceTable {
 public:
  struct Move {
    ReconvergenceIndex index;
    bool to_memory;
  };

  /// `size`: entries that the table has room for; 0 = no limit.
  explicit ReconvergenceTable(unsigned size) : size_(size) {}

  ReconvergenceIndex insert(const ReconvergenceEntry& entry);
  void erase(ReconvergenceIndex index);
  void clear();
  /// Lanes have come to the entry's reconvergence point.
  void arrive(ReconvergenceIndex index, ActiveMask lanes) {
    need(index);
    entries_[index].pending -= lanes;
  }
  /// The entry is read or written: it must be in the table, not in memory.
  void need(ReconvergenceIndex index) {
    if (size_ != 0 && !in_table_.contains(index)) bring_back(index);
  }

  ReconvergenceEntry& operator[](ReconvergenceIndex index) { return entries_[index]; }
  const ReconvergenceEntry& operator[](ReconvergenceIndex index) const { return entries_[index]; }

  /// Takes lanes that have exited out of the entry and of all those around it.
  void remove(ReconvergenceIndex innermost, ActiveMask exited);

  /// The early entry for splits of `outer` in this block that lies behind `pc`, if there is one in the table.
  ReconvergenceIndex find_early(Pc block, ReconvergenceIndex outer, Pc pc) const;
  bool is_empty() const { return used_.none(); }
  bool holds(ReconvergenceIndex index) const { return used_.contains(index); }
  /// Lanes of entries within this one are pending in the one around it instead.
  void pass_over(ReconvergenceIndex index);
  /// The largest number of entries so far, in the table and in memory.
  unsigned most_used() const { return most_used_; }
  std::vector<Move>& moves() { return moves_; }

  /// Calls visit(index, entry) in index order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    used_.for_each([&](unsigned index) { visit(static_cast<ReconvergenceIndex>(index), entries_[index]); });
  }

  /// RT of MultiPath::tables(); masks of `width` digits.
  StateTable table(unsigned width) const;

 private:
  void bring_back(ReconvergenceIndex index);
  void take_in(ReconvergenceIndex index);

  // 64 lanes part at most 63 times, and early entries have at least two lanes of their own each: 63 + 32.
  static constexpr unsigned kCapacity = 95;
  using Entries = BitSet<struct ReconvergenceTag, 128>;
  std::array<ReconvergenceEntry, kCapacity> entries_;
  Entries used_;
  unsigned most_used_ = 0;
  unsigned size_;
  Entries in_table_;                                   // of the used ones; kept only where the size is limited
  std::array<ReconvergenceIndex, kCapacity> arrival_;  // of those in the table, the oldest first
  std::vector<Move> moves_;
};

}  // namespace warpfork
