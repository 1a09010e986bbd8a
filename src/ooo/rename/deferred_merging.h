// Renaming with the PIRAT: two registers per architectural one, merged only where a µop needs it (SIMT-X 3.8).
#pragma once

#include <cstdint>

#include "ooo/rename/rename_strategy.h"

namespace warpfork::ooo {

/// `pirat`, and with `free` `free-merge` (section 4.3): the same mappings and registers, but merges are no µops and a
/// rename block may hold any number of them.
class DeferredMerging final : public RenameStrategy {
 public:
  DeferredMerging(Pirat table, bool free) : RenameStrategy(std::move(table)), free_(free) {}

  void begin_block() override { block_merged_ = block_written_ = 0; }
  RenameOutcome rename(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                       PathId path, RenamedUop& renamed) override;
  bool merges_are_free() const override { return free_; }

 private:
  /// A bit per architectural register.
  struct Plan {
    std::uint64_t merged = 0, written = 0;
  };

  Plan plan(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
            LaneMask lanes) const;
  bool has_registers(const Plan& plan) const;
  bool must_wait_for_next_block(const Plan& plan) const;
  void write(x86::RegisterId architectural, PathId path, RenamedUop& renamed);
  void merge(x86::RegisterId architectural, RenamedUop& renamed);

  bool free_;
  std::uint64_t block_merged_ = 0, block_written_ = 0;
};

}  // namespace warpfork::ooo
