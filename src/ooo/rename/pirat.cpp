#include "ooo/rename/pirat.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace warpfork::ooo {

Pirat::Pirat(const PathTable& paths, FreeList& free, unsigned registers)
    : paths_(paths), free_(free), flags_(paths, free.registers()), tags_(free.registers()) {
  for (unsigned r = 0; r < registers; ++r)
    mappings_.push_back(r == x86::kFlags ? RegisterPair{}
                                         : RegisterPair{free.take(class_of(static_cast<x86::RegisterId>(r)))});
  if (free.available(RegisterClass::Flags) != 0) flags_.begin(free.take(RegisterClass::Flags));
}

Merge Pirat::merge(x86::RegisterId architectural) {
  RegisterPair& mapping = mappings_[architectural];
  const RegisterTag& tag = tags_[mapping.leading];
  Merge merge{{architectural, kNoPath, take(architectural), mapping, {}, mapping, 0}, tag.path, tag.mask};
  mapping = merge.renaming.after = {merge.renaming.physical, kNoRegister};
  return merge;
}

unsigned Pirat::flag_registers(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                               PathId path) const {
  unsigned needed = std::ranges::find(destinations, x86::kFlags) != destinations.end();
  if (std::ranges::find(sources, x86::kFlags) != sources.end()) needed += flags_.read_by(lanes_of(path)).count - 1;
  return needed;
}

/// From the oldest version on: each merge adds the lanes of one more, and releases the merge before.
PhysicalRegister Pirat::read_flags(PathId path, RenamedUop& renamed) {
  const FlagVersions::Reads reads = flags_.read_by(lanes_of(path));
  PhysicalRegister merged = reads.versions[reads.count - 1];
  for (unsigned i = reads.count - 1; i-- > 0;) {
    const RegisterPair before{merged, reads.versions[i]};
    const RegisterTag& tag = flags_.tag(before.leading);
    const bool chained = i + 2 < reads.count;
    Merge& merge = renamed.merges[renamed.merge_count++];
    merge = {{}, tag.path, tag.mask};
    merged = take(x86::kFlags);
    merge.renaming = i == 0 ? flags_.write(path, merged) : Renaming{x86::kFlags, kNoPath, merged, {}, {}, {}, 0};
    merge.renaming.before = before;
    if (chained) merge.renaming.released.main = before.main;
  }
  return merged;
}

Renaming Pirat::write_flags(PathId path) { return flags_.write(path, take(x86::kFlags)); }

PhysicalRegister Pirat::holder(x86::RegisterId architectural, unsigned lane) const {
  const LaneMask lanes = LaneMask{1} << lane;
  return architectural == x86::kFlags ? flags_.read_by(lanes).versions[0] : register_of(architectural, lanes);
}

void Pirat::undo(const Renaming& renaming) {
  if (renaming.architectural == x86::kFlags) {
    if (renaming.path != kNoPath) flags_.undo(renaming);
  } else {
    RegisterPair& mapping = mappings_[renaming.architectural];
    require(mapping == renaming.after, "is undone out of order", renaming);
    mapping = renaming.before;
  }
  free_.give(renaming.physical);
}

void Pirat::fail(const char* what, const Renaming& renaming) const {
  throw InvariantError(
      fmt::format("register r{} (p{}) {}:\n{}", renaming.architectural, renaming.physical, what, describe()));
}

std::string Pirat::describe() const {
  std::string text = "    main  m/t   ldiv\n";
  for (unsigned r = 0; r < mappings_.size(); ++r) {
    if (r == x86::kFlags) continue;
    const auto [main, leading] = mappings_[r];
    const bool single = leading == kNoRegister;
    const std::string tag = single                           ? "-"
                            : tags_[leading].path != kNoPath ? fmt::format("h{}", tags_[leading].path)
                                                             : mask_text(tags_[leading].mask, paths_.lanes());
    text += fmt::format("{:<3} {:<5} {:<5} {}\n", fmt::format("r{}", r), fmt::format("p{}", main), tag,
                        single ? "-" : fmt::format("p{}", leading));
  }
  if (const std::string flags = flags_.describe(); !flags.empty()) text += "flags " + flags + "\n";
  return text;
}

}  // namespace warpfork::ooo
