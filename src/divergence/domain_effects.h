// What a mechanism says to the core: what a call of a block's divergence domain has done.
#pragma once

#include <vector>

#include "divergence/compaction.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// An entry of a warp's reconvergence table goes to memory or comes back.
struct TableMove {
  WarpId warp = 0;
  unsigned index = 0;
  bool to_memory = false;
};

/// Nothing else is done where no warp has changed. The domain, which has no clock, does not wait for what takes time.
struct DomainEffects {
  WarpSet changed;  // warps whose runnable() may be others now
  WarpSet formed;   // of these: who may issue when the compaction unit has formed them, lowest first
  std::vector<Compaction> compactions;  // what was done at branches by a mechanism that regroups threads, in order
  std::vector<TableMove> table_moves;   // of tables of limited size, in order; warps wait for what comes back

  void clear() {
    changed = formed = WarpSet();
    compactions.clear();
    table_moves.clear();
  }
  /// And afterwards this.
  DomainEffects& operator+=(const DomainEffects& next) {
    changed |= next.changed;
    formed |= next.formed;
    compactions.insert(compactions.end(), next.compactions.begin(), next.compactions.end());
    table_moves.insert(table_moves.end(), next.table_moves.begin(), next.table_moves.end());
    return *this;
  }
};

}  // namespace warpfork
