// Naive renaming: every register that only some lanes write is merged at once (SIMT-X 3.1, Figure 1(b)).
#pragma once

#include <cstdint>

#include "ooo/rename/rename_strategy.h"

namespace warpfork::ooo {

/// `rat`. After each masked write comes a merge µop of the register before and the new one, so that sources always have
/// one register. A write is masked unless all lanes that have a thread are certain to write. Flags and temporaries are
/// as in the other strategies. The table is used with one register per entry, but for the moment between a write and
/// its merge.
class ImmediateMerging final : public RenameStrategy {
 public:
  using RenameStrategy::RenameStrategy;

  void begin_block() override { block_merged_ = block_written_ = 0; }
  RenameOutcome rename(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                       PathId path, RenamedUop& renamed) override;

 private:
  std::uint64_t block_merged_ = 0, block_written_ = 0;  // a bit per architectural register
};

}  // namespace warpfork::ooo
