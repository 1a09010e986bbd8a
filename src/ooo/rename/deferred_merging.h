// Renaming with the PIRAT: two registers per architectural one, merged only where a µop needs it (SIMT-X 3.8).
#pragma once

#include <array>
#include <cstdint>

#include "ooo/rename/rename_strategy.h"

namespace warpfork::ooo {

enum class MergingVariant : std::uint8_t {
  Pirat,    ///< section 3.8
  Free,     ///< section 4.3: the same mappings and registers, but merges are no µops, and any number fits into a block
  Rewrite,  ///< what a path writes, and has written last, is replaced, though a divergence may be pending: ours
};

/// `pirat`, `free-merge` and `pirat-rewrite`.
class DeferredMerging final : public RenameStrategy {
 public:
  DeferredMerging(Pirat table, MergingVariant variant) : RenameStrategy(std::move(table)), variant_(variant) {}

  void begin_block() override { block_merged_ = block_written_ = 0; }
  RenameOutcome rename(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                       PathId path, RenamedUop& renamed) override;
  bool merges_are_free() const override { return variant_ == MergingVariant::Free; }

 private:
  struct Plan {
    std::uint64_t merged = 0, written = 0;  // a bit per architectural register, but for the flags
    unsigned flags = 0;                     // registers that these take
    bool merges_sources = false;
    // Of those that are not merged:
    std::array<PhysicalRegister, RenamedUop::kMaxSources> sources{};
    std::array<WriteRule, RenamedUop::kMaxDestinations> rules;
  };

  bool all_in_one(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                  RenamedUop& renamed) const;
  RenameOutcome rename_in_one(std::span<const x86::RegisterId> destinations, PathId path, RenamedUop& renamed);
  [[gnu::noinline]] RenameOutcome rename_with_merges(std::span<const x86::RegisterId> sources,
                                                     std::span<const x86::RegisterId> destinations, PathId path,
                                                     RenamedUop& renamed);
  Plan plan(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations, PathId path,
            LaneMask lanes) const;
  WriteRule rule(x86::RegisterId destination, PathId path, LaneMask lanes) const;
  bool has_registers(const Plan& plan) const;
  bool must_wait_for_next_block(const Plan& plan) const;
  [[gnu::noinline]] PhysicalRegister read(x86::RegisterId architectural, PathId path, RenamedUop& renamed);
  [[gnu::noinline]] Renaming write_merged(x86::RegisterId architectural, PathId path, RenamedUop& renamed);
  void merge(x86::RegisterId architectural, RenamedUop& renamed);

  MergingVariant variant_;
  std::uint64_t block_merged_ = 0, block_written_ = 0;
};

}  // namespace warpfork::ooo
