#include "ooo/rename/deferred_merging.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpfork::ooo {

namespace {

constexpr std::uint64_t bit(x86::RegisterId architectural) { return std::uint64_t{1} << architectural; }

constexpr std::uint64_t kVectorRegisters = [] {
  std::uint64_t registers = 0;
  for (x86::RegisterId r = 0; r < x86::kRegisterCount; ++r)
    if (class_of(r) == RegisterClass::Vector) registers |= bit(r);
  return registers;
}();

}  // namespace

/// A path's lanes are the same for all that it writes, however few they turn out to be.
inline WriteRule DeferredMerging::rule(x86::RegisterId destination, PathId path, LaneMask lanes) const {
  const WriteRule rule = table_.rule(destination, lanes);
  const bool rewrites = variant_ == MergingVariant::Rewrite && table_.wrote_last(path, destination);
  return rule == WriteRule::MergeFirst && rewrites ? WriteRule::ReplaceLeading : rule;
}

// A destination that is also a source, and merged for being that, is not merged again.
[[gnu::always_inline]] inline DeferredMerging::Plan DeferredMerging::plan(std::span<const x86::RegisterId> sources,
                                                                          std::span<const x86::RegisterId> destinations,
                                                                          PathId path, LaneMask lanes) const {
  Plan plan;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == x86::kFlags) {
      const FlagVersions::Reads flags = table_.flags().read_by(lanes);
      plan.flags += flags.count - 1;
      plan.sources[i] = flags.count == 1 ? flags.versions[0] : kNoRegister;
    } else {
      plan.sources[i] = table_.register_of(sources[i], lanes);
      if (plan.sources[i] == kNoRegister) plan.merged |= bit(sources[i]);
    }
    plan.merges_sources |= plan.sources[i] == kNoRegister;
  }
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] == x86::kFlags) {
      ++plan.flags;
      continue;
    }
    plan.written |= bit(destinations[i]);
    plan.rules[i] = rule(destinations[i], path, lanes);
    if (plan.rules[i] == WriteRule::MergeFirst) plan.merged |= bit(destinations[i]);
  }
  return plan;
}

/// Whether all that the µop reads and writes is in one register each, as it is for most: then nothing is merged, and
/// `renamed` has its sources.
inline bool DeferredMerging::all_in_one(std::span<const x86::RegisterId> sources,
                                        std::span<const x86::RegisterId> destinations, RenamedUop& renamed) const {
  if (block_merged_ != 0) return false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    renamed.sources[i] = table_.only_register(sources[i]);
    if (renamed.sources[i] == kNoRegister) return false;
  }
  return std::ranges::all_of(destinations, [&](x86::RegisterId destination) {
    return destination == x86::kFlags || table_.only_register(destination) != kNoRegister;
  });
}

inline RenameOutcome DeferredMerging::rename_in_one(std::span<const x86::RegisterId> destinations, PathId path,
                                                    RenamedUop& renamed) {
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const RegisterClass file = class_of(destinations[i]);
    const auto before = std::ranges::count(destinations.first(i), file, class_of);
    if (!table_.has_free(file, static_cast<unsigned>(before) + 1)) return RenameOutcome::NoFreeRegister;
  }
  const LaneMask lanes = table_.lanes_of(path);
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const x86::RegisterId destination = destinations[i];
    if (destination == x86::kFlags) {
      renamed.destinations[i] = table_.write_flags(path);
    } else {
      renamed.destinations[i] = table_.write(destination, path, table_.rule(destination, lanes));
      block_written_ |= bit(destination);
    }
  }
  return RenameOutcome::Renamed;
}

/// Flattened but for the merges: what most µops do is short.
[[gnu::flatten]] RenameOutcome DeferredMerging::rename(std::span<const x86::RegisterId> sources,
                                                       std::span<const x86::RegisterId> destinations, PathId path,
                                                       RenamedUop& renamed) {
  renamed.clear();
  renamed.source_count = static_cast<std::uint8_t>(sources.size());
  renamed.destination_count = static_cast<std::uint8_t>(destinations.size());
  return all_in_one(sources, destinations, renamed) ? rename_in_one(destinations, path, renamed)
                                                    : rename_with_merges(sources, destinations, path, renamed);
}

RenameOutcome DeferredMerging::rename_with_merges(std::span<const x86::RegisterId> sources,
                                                  std::span<const x86::RegisterId> destinations, PathId path,
                                                  RenamedUop& renamed) {
  const Plan plan = this->plan(sources, destinations, path, table_.lanes_of(path));
  if (must_wait_for_next_block(plan)) return RenameOutcome::SeveralMerges;
  if (!has_registers(plan)) return RenameOutcome::NoFreeRegister;

  renamed.sources = plan.sources;
  for (std::size_t i = 0; plan.merges_sources && i < sources.size(); ++i)
    if (plan.sources[i] == kNoRegister) renamed.sources[i] = read(sources[i], path, renamed);
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const x86::RegisterId destination = destinations[i];
    renamed.destinations[i] = destination == x86::kFlags              ? table_.write_flags(path)
                              : (plan.merged & bit(destination)) != 0 ? write_merged(destination, path, renamed)
                                                                      : table_.write(destination, path, plan.rules[i]);
  }
  block_merged_ |= plan.merged;
  block_written_ |= plan.written;
  return RenameOutcome::Renamed;
}

bool DeferredMerging::has_registers(const Plan& plan) const {
  const auto needed = [&](std::uint64_t file) {
    return static_cast<unsigned>(std::popcount(plan.merged & file) + std::popcount(plan.written & file));
  };
  return table_.has_free(RegisterClass::Integer, needed(~kVectorRegisters)) &&
         table_.has_free(RegisterClass::Vector, needed(kVectorRegisters)) &&
         table_.has_free(RegisterClass::Flags, plan.flags);
}

// Section 3.8.3: a second merge of a register in one block; or two writes of it, of which one comes with a merge.
bool DeferredMerging::must_wait_for_next_block(const Plan& plan) const {
  if (merges_are_free()) return false;
  return (plan.merged & block_merged_) != 0 || (plan.written & block_written_ & (plan.merged | block_merged_)) != 0;
}

void DeferredMerging::merge(x86::RegisterId architectural, RenamedUop& renamed) {
  renamed.merges[renamed.merge_count++] = table_.merge(architectural);
}

/// A register that is merged, by this µop if no source before has been the same.
PhysicalRegister DeferredMerging::read(x86::RegisterId architectural, PathId path, RenamedUop& renamed) {
  if (architectural == x86::kFlags) return table_.read_flags(path, renamed);
  if (table_.mapping(architectural).leading != kNoRegister) merge(architectural, renamed);
  return table_.mapping(architectural).main;
}

/// Likewise.
Renaming DeferredMerging::write_merged(x86::RegisterId architectural, PathId path, RenamedUop& renamed) {
  const WriteRule rule = this->rule(architectural, path, table_.lanes_of(path));
  if (rule != WriteRule::MergeFirst) return table_.write(architectural, path, rule);
  merge(architectural, renamed);
  Renaming renaming = table_.write(architectural, path, WriteRule::ReplaceLeading);
  // The µop comes after the merge and may itself still read one of the two merged registers (Figure 4(c): p4).
  std::swap(renaming.released, renamed.merges[renamed.merge_count - 1].renaming.released);
  return renaming;
}

}  // namespace warpfork::ooo
