#include "ooo/rename/deferred_merging.h"

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

RenameOutcome DeferredMerging::rename(std::span<const x86::RegisterId> sources,
                                      std::span<const x86::RegisterId> destinations, PathId path, RenamedUop& renamed) {
  const LaneMask lanes = table_.lanes_of(path);
  const Plan plan = this->plan(sources, destinations, path);
  if (must_wait_for_next_block(plan)) return RenameOutcome::SeveralMerges;
  if (!has_registers(plan)) return RenameOutcome::NoFreeRegister;

  renamed.clear();
  for (const x86::RegisterId source : sources)
    renamed.sources[renamed.source_count++] =
        source == x86::kFlags ? table_.read_flags(path, renamed) : read(source, lanes, renamed);
  for (const x86::RegisterId destination : destinations) write(destination, path, renamed);
  block_merged_ |= plan.merged;
  block_written_ |= plan.written;
  return RenameOutcome::Renamed;
}

// A destination that is also a source, and merged for being that, is not merged again.
DeferredMerging::Plan DeferredMerging::plan(std::span<const x86::RegisterId> sources,
                                            std::span<const x86::RegisterId> destinations, PathId path) const {
  const LaneMask lanes = table_.lanes_of(path);
  Plan plan;
  plan.flags = table_.flag_registers(sources, destinations, path);
  for (const x86::RegisterId source : sources)
    if (source != x86::kFlags && table_.source(source, lanes) == SourceMapping::Both) plan.merged |= bit(source);
  for (const x86::RegisterId destination : destinations) {
    if (destination == x86::kFlags) continue;
    plan.written |= bit(destination);
    if (rule(destination, path) == WriteRule::MergeFirst) plan.merged |= bit(destination);
  }
  return plan;
}

/// A path's lanes are the same for all that it writes, however few they turn out to be.
WriteRule DeferredMerging::rule(x86::RegisterId destination, PathId path) const {
  const WriteRule rule = table_.rule(destination, table_.lanes_of(path));
  const bool rewrites = variant_ == MergingVariant::Rewrite && table_.wrote_last(path, destination);
  return rule == WriteRule::MergeFirst && rewrites ? WriteRule::ReplaceLeading : rule;
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

PhysicalRegister DeferredMerging::read(x86::RegisterId architectural, LaneMask lanes, RenamedUop& renamed) {
  const SourceMapping where = table_.source(architectural, lanes);
  if (where == SourceMapping::Both) merge(architectural, renamed);
  const RegisterPair mapping = table_.mapping(architectural);
  return where == SourceMapping::Leading ? mapping.leading : mapping.main;
}

void DeferredMerging::write(x86::RegisterId architectural, PathId path, RenamedUop& renamed) {
  Renaming& renaming = renamed.destinations[renamed.destination_count++];
  if (architectural == x86::kFlags) {
    renaming = table_.write_flags(path);
    return;
  }
  const WriteRule rule = this->rule(architectural, path);
  if (rule != WriteRule::MergeFirst) {
    renaming = table_.write(architectural, path, rule);
    return;
  }
  merge(architectural, renamed);
  renaming = table_.write(architectural, path, WriteRule::ReplaceLeading);
  // The µop comes after the merge and may itself still read one of the two merged registers (Figure 4(c): p4).
  std::swap(renaming.released, renamed.merges[renamed.merge_count - 1].renaming.released);
}

}  // namespace warpfork::ooo
