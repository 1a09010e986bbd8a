// The Path-Identifying Register Alias Table of one warp (SIMT-X 3.8).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ooo/paths/path_table.h"
#include "ooo/rename/flag_versions.h"
#include "ooo/rename/free_list.h"
#include "ooo/rename/register_tag.h"
#include "ooo/rename/renamed_uop.h"

namespace warpfork::ooo {

/// Of a source: where the reading lanes' values are.
enum class SourceMapping : std::uint8_t { Main, Leading, Both };

/// Of a destination: what the new register does to the mapping (section 3.8.1).
enum class WriteRule : std::uint8_t {
  ReplaceAll,      ///< (Pmain, h, Pld) → (Pdest, -, -): every lane that has a thread writes
  ReplaceLeading,  ///< (Pmain, -, -) or (Pmain, h', Pld) → (Pmain, h, Pdest)
  ReplaceMain,     ///< (Pmain, h', Pld) → (Pld, h, Pdest)
  MergeFirst,      ///< none of these may be done: merge, then ReplaceLeading
};

/// Holds (Pmain, path or mask, Pld) for each architectural register, and knows the rules. The path of an LDiv register
/// becomes a mask when its writer commits, so that no path is named here which may have been evicted. A register is
/// released when the µop whose renaming dropped it from the table commits: its readers, merge µops among them, are all
/// older.
///
/// A temporary is dead behind its instruction, which one path executes: any write of it replaces all. The flags are not
/// in the table: FlagVersions holds them.
///
/// `pending divergences` (3.8.2) are buops between renaming and commit: while there are any, masks may yet shrink.
///
/// describe(), Figure 4(a):
///       main  m/t   ldiv
///   r0  p0    -     -
///   r1  p1    h1    p4
///   r2  p2    h2    p5
///   r3  p3    -     -
///   flags p16, h1 p20        oldest first; the oldest is of all lanes
class Pirat {
 public:
  /// Takes a register for each architectural one, and one of flags if there are any.
  Pirat(const PathTable& paths, FreeList& free, unsigned registers = x86::kRegisterCount);

  void divergence_predicted() { ++pending_divergences_; }
  /// Its buop has committed, or has been undone.
  void divergence_settled() { --pending_divergences_; }
  bool divergence_pending() const { return pending_divergences_ != 0; }

  SourceMapping source(x86::RegisterId architectural, LaneMask lanes) const {
    const PhysicalRegister leading = mappings_[architectural].leading;
    if (leading == kNoRegister) return SourceMapping::Main;
    const LaneMask held = lanes & leading_lanes(leading);
    return held == lanes ? SourceMapping::Leading : held == 0 ? SourceMapping::Main : SourceMapping::Both;
  }
  /// The register that has the values of all these lanes; kNoRegister if there are two. Not of the flags.
  PhysicalRegister register_of(x86::RegisterId architectural, LaneMask lanes) const {
    const SourceMapping where = source(architectural, lanes);
    const RegisterPair& mapping = mappings_[architectural];
    return where == SourceMapping::Main      ? mapping.main
           : where == SourceMapping::Leading ? mapping.leading
                                             : kNoRegister;
  }
  /// The one register that it is in; kNoRegister if there are more, whoever reads them.
  PhysicalRegister only_register(x86::RegisterId architectural) const {
    if (architectural == x86::kFlags) return flags_.versions().size() == 1 ? flags_.versions()[0] : kNoRegister;
    const RegisterPair& mapping = mappings_[architectural];
    return mapping.leading == kNoRegister ? mapping.main : kNoRegister;
  }
  WriteRule rule(x86::RegisterId architectural, LaneMask lanes) const;
  /// Whether the LDiv register is the path's own, and its writer in flight.
  bool wrote_last(PathId path, x86::RegisterId architectural) const {
    const PhysicalRegister leading = mappings_[architectural].leading;
    return leading != kNoRegister && tags_[leading].path == path;
  }

  /// (Pmain, h, Pld) → (Pφ, -, -), which releases both. There must be a free register, and an LDiv register.
  Merge merge(x86::RegisterId architectural);
  /// There must be a free register; the rule is not MergeFirst.
  Renaming write(x86::RegisterId architectural, PathId path, WriteRule rule);

  /// Of the flags: how many registers reading and writing them takes.
  unsigned flag_registers(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                          PathId path) const;
  /// The flags that a path's lanes read, merged if they are in several versions: adds merges that come before the µop.
  PhysicalRegister read_flags(PathId path, RenamedUop& renamed);
  Renaming write_flags(PathId path);

  /// In program order, merge µops in their places. The path of the writer must be committed.
  void commit(const Renaming& renaming);
  /// Takes a renaming back; youngest first.
  void undo(const Renaming& renaming);

  RegisterPair mapping(x86::RegisterId architectural) const { return mappings_[architectural]; }
  const FlagVersions& flags() const { return flags_; }
  /// Where the lane's value is, as far as it has been renamed.
  PhysicalRegister holder(x86::RegisterId architectural, unsigned lane) const;
  bool has_free(RegisterClass file, unsigned count) const { return free_.available(file) >= count; }
  LaneMask lanes_of(PathId path) const { return paths_.mask(path); }
  std::string describe() const;

 private:
  LaneMask leading_lanes(PhysicalRegister leading) const { return tags_[leading].lanes(paths_); }
  PhysicalRegister take(x86::RegisterId architectural);
  void require(bool holds, const char* what, const Renaming& renaming) const {
    if (!holds) [[unlikely]]
      fail(what, renaming);
  }
  [[noreturn]] void fail(const char* what, const Renaming& renaming) const;

  const PathTable& paths_;
  FreeList& free_;
  std::vector<RegisterPair> mappings_;  // by architectural register
  FlagVersions flags_;
  std::vector<RegisterTag> tags_;  // of LDiv registers, by physical register
  unsigned pending_divergences_ = 0;
};

inline WriteRule Pirat::rule(x86::RegisterId architectural, LaneMask lanes) const {
  if (architectural >= x86::kTemporary) return WriteRule::ReplaceAll;
  const PhysicalRegister leading = mappings_[architectural].leading;
  const bool certain = !divergence_pending();
  const LaneMask living = paths_.living();
  if (certain && covers(lanes, living)) return WriteRule::ReplaceAll;
  if (leading == kNoRegister) return WriteRule::ReplaceLeading;
  const LaneMask register_mask = leading_lanes(leading);
  if (certain && covers(lanes, living & register_mask)) return WriteRule::ReplaceLeading;
  if (certain && covers(lanes, living & ~register_mask)) return WriteRule::ReplaceMain;
  return WriteRule::MergeFirst;
}

inline PhysicalRegister Pirat::take(x86::RegisterId architectural) { return free_.take(class_of(architectural)); }

inline Renaming Pirat::write(x86::RegisterId architectural, PathId path, WriteRule rule) {
  RegisterPair& mapping = mappings_[architectural];
  Renaming renaming{architectural, path, take(architectural), mapping, {}, {}, 0};
  switch (rule) {
    case WriteRule::ReplaceAll:
      renaming.released = mapping;
      mapping = {renaming.physical, kNoRegister};
      break;
    case WriteRule::ReplaceLeading:
      renaming.released.leading = mapping.leading;
      mapping.leading = renaming.physical;
      break;
    case WriteRule::ReplaceMain:
      renaming.released.main = mapping.main;
      mapping = {mapping.leading, renaming.physical};
      break;
    case WriteRule::MergeFirst:
      require(false, "is written before it is merged", renaming);
  }
  tags_[renaming.physical] = {path, 0};
  renaming.after = mapping;
  return renaming;
}

inline void Pirat::commit(const Renaming& renaming) {
  for (const PhysicalRegister old : {renaming.released.main, renaming.released.leading})
    if (old != kNoRegister) free_.give(old);
  if (renaming.path == kNoPath) return;
  require(paths_.committed(renaming.path), "commits before its path", renaming);
  if (renaming.architectural == x86::kFlags) return flags_.commit(renaming, free_);
  tags_[renaming.physical] = {kNoPath, paths_.mask(renaming.path)};
}

}  // namespace warpfork::ooo
