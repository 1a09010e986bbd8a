#include "ooo/rename/immediate_merging.h"

#include <array>

namespace warpfork::ooo {

RenameOutcome ImmediateMerging::rename(std::span<const x86::RegisterId> sources,
                                       std::span<const x86::RegisterId> destinations, PathId path,
                                       RenamedUop& renamed) {
  const LaneMask lanes = table_.lanes_of(path);
  std::uint64_t merges = 0, written = 0;
  std::array<unsigned, kRegisterClasses> needed{};
  for (const x86::RegisterId destination : destinations) {
    const std::uint64_t bit = std::uint64_t{1} << destination;
    const bool masked = table_.rule(destination, lanes) != WriteRule::ReplaceAll;
    written |= bit;
    if (masked) merges |= bit;
    needed[static_cast<unsigned>(class_of(destination))] += masked ? 2 : 1;
  }
  if ((written & block_merged_) != 0 || (merges & block_written_) != 0) return RenameOutcome::SeveralMerges;
  if (!table_.has_free(RegisterClass::Integer, needed[0]) || !table_.has_free(RegisterClass::Vector, needed[1]))
    return RenameOutcome::NoFreeRegister;

  renamed.clear();
  for (const x86::RegisterId source : sources) renamed.sources[renamed.source_count++] = table_.mapping(source).main;
  for (const x86::RegisterId destination : destinations) {
    const WriteRule rule = table_.rule(destination, lanes);
    renamed.destinations[renamed.destination_count++] = table_.write(destination, path, rule);
    if (rule != WriteRule::ReplaceAll) renamed.late_merges[renamed.late_merge_count++] = table_.merge(destination);
  }
  block_merged_ |= merges;
  block_written_ |= written;
  return RenameOutcome::Renamed;
}

}  // namespace warpfork::ooo
