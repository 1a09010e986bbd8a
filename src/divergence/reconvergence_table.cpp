#include "divergence/reconvergence_table.h"

#include <bit>

#include "base/error.h"
#include "divergence/table_text.h"

namespace warpfork {

ReconvergenceIndex ReconvergenceTable::insert(const ReconvergenceEntry& entry) {
  const unsigned free = static_cast<unsigned>(std::countr_one(used_));
  check(free < kCapacity, [&] { return fmt::format("reconvergence table overflows:\n{}", to_string(kMaxWarpSize)); });
  used_ |= std::uint64_t{1} << free;
  entries_[free] = entry;
  return static_cast<ReconvergenceIndex>(free);
}

void ReconvergenceTable::remove(ReconvergenceIndex innermost, ActiveMask exited) {
  for (ReconvergenceIndex index = innermost; index != kNoReconvergence; index = entries_[index].outer) {
    entries_[index].lanes -= exited;
    entries_[index].pending -= exited;
  }
}

ReconvergenceIndex ReconvergenceTable::find_early(Pc block, ReconvergenceIndex outer) const {
  ReconvergenceIndex found = kNoReconvergence;
  for_each([&](ReconvergenceIndex index, const ReconvergenceEntry& entry) {
    if (entry.is_early && entry.block == block && entry.outer == outer) found = index;
  });
  return found;
}

std::string ReconvergenceTable::to_string(unsigned width) const {
  std::string text = fmt::format("RT       pc   rpc  {:<{}}  pending\n", "lanes", width);
  for_each([&](ReconvergenceIndex, const ReconvergenceEntry& entry) {
    text += fmt::format("      {:>5} {:>5}  {:<5}  {:<7}", pc_text(entry.pc), pc_text(entry.reconvergence_pc),
                        entry.lanes.to_string(width), entry.pending.to_string(width));
    while (text.back() == ' ') text.pop_back();
    text += entry.is_early ? "  early\n" : "\n";
  });
  return text;
}

}  // namespace warpfork
