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
    if (destination == x86::kFlags) continue;
    const std::uint64_t bit = std::uint64_t{1} << destination;
    const bool masked = table_.rule(destination, lanes) != WriteRule::ReplaceAll;
    written |= bit;
    if (masked) merges |= bit;
    needed[static_cast<unsigned>(class_of(destination))] += masked ? 2 : 1;
  }
  if ((written & block_merged_) != 0 || (merges & block_written_) != 0) return RenameOutcome::SeveralMerges;
  needed[static_cast<unsigned>(RegisterClass::Flags)] = table_.flag_registers(sources, destinations, path);
  for (unsigned file = 0; file < kRegisterClasses; ++file)
    if (!table_.has_free(static_cast<RegisterClass>(file), needed[file])) return RenameOutcome::NoFreeRegister;

  renamed.clear();
  for (const x86::RegisterId source : sources)
    renamed.sources[renamed.source_count++] =
        source == x86::kFlags ? table_.read_flags(path, renamed) : table_.mapping(source).main;
  for (const x86::RegisterId destination : destinations) {
    Renaming& renaming = renamed.destinations[renamed.destination_count++];
    if (destination == x86::kFlags) {
      renaming = table_.write_flags(path);
      continue;
    }
    const WriteRule rule = table_.rule(destination, lanes);
    renaming = table_.write(destination, path, rule);
    if (rule != WriteRule::ReplaceAll) renamed.late_merges[renamed.late_merge_count++] = table_.merge(destination);
  }
  block_merged_ |= merges;
  block_written_ |= written;
  return RenameOutcome::Renamed;
}

}  // namespace warpfork::ooo
