#include "divergence/reconvergence_table.h"

#include <algorithm>

#include "base/error.h"

namespace warpfork {

ReconvergenceIndex ReconvergenceTable::insert(const ReconvergenceEntry& entry) {
  const unsigned free = used_.lowest_free();
  check(free < kCapacity,
        [&] { return fmt::format("reconvergence table overflows:\n{}", text_of(table(kMaxWarpSize))); });
  used_ |= Entries::single(free);
  entries_[free] = entry;
  most_used_ = std::max(most_used_, used_.count());
  const auto index = static_cast<ReconvergenceIndex>(free);
  if (size_ != 0) take_in(index);
  return index;
}

void ReconvergenceTable::erase(ReconvergenceIndex index) {
  used_ -= Entries::single(index);
  if (!in_table_.contains(index)) return;
  const auto end = arrival_.begin() + in_table_.count();
  std::copy(std::find(arrival_.begin(), end, index) + 1, end, std::find(arrival_.begin(), end, index));
  in_table_ -= Entries::single(index);
}

void ReconvergenceTable::clear() {
  used_ = in_table_ = Entries();
  moves_.clear();
}

void ReconvergenceTable::bring_back(ReconvergenceIndex index) {
  take_in(index);
  moves_.push_back({index, false});
}

void ReconvergenceTable::take_in(ReconvergenceIndex index) {
  unsigned count = in_table_.count();
  if (count == size_) {
    const ReconvergenceIndex oldest = arrival_[0];
    std::copy(&arrival_[1], &arrival_[count], &arrival_[0]);
    --count;
    in_table_ -= Entries::single(oldest);
    moves_.push_back({oldest, true});
  }
  arrival_[count] = index;
  in_table_ |= Entries::single(index);
}

void ReconvergenceTable::remove(ReconvergenceIndex innermost, ActiveMask exited) {
  for (ReconvergenceIndex index = innermost; index != kNoReconvergence; index = entries_[index].outer) {
    entries_[index].lanes -= exited;
    entries_[index].pending -= exited;
  }
}

void ReconvergenceTable::pass_over(ReconvergenceIndex index) {
  const ReconvergenceEntry& passed = entries_[index];
  used_.for_each([&](unsigned inner) {
    if (entries_[inner].outer != index) return;
    entries_[inner].outer = passed.outer;
    entries_[inner].reconvergence_pc = passed.reconvergence_pc;
  });
}

ReconvergenceIndex ReconvergenceTable::find_early(Pc block, ReconvergenceIndex outer, Pc pc) const {
  ReconvergenceIndex found = kNoReconvergence;
  for_each([&](ReconvergenceIndex index, const ReconvergenceEntry& entry) {
    const bool in_table = size_ == 0 || in_table_.contains(index);
    if (in_table && entry.is_early && entry.block == block && entry.outer == outer && entry.pc > pc) found = index;
  });
  return found;
}

StateTable ReconvergenceTable::table(unsigned width) const {
  using enum StateTable::Kind;
  StateTable table{
      "RT",
      {{"pc", ProgramCounter}, {"rpc", ProgramCounter}, {"lanes", Mask}, {"pending", Mask}, {"", Text}, {"", Text}},
      {},
      {}};
  for_each([&](ReconvergenceIndex index, const ReconvergenceEntry& entry) {
    table.rows.push_back({pc_text(entry.pc), pc_text(entry.reconvergence_pc), entry.lanes.to_string(width),
                          entry.pending.to_string(width), entry.is_early ? "early" : "",
                          size_ != 0 && !in_table_.contains(index) ? "in memory" : ""});
  });
  return table;
}

}  // namespace warpfork
