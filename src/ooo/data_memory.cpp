#include "ooo/data_memory.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ooo/remainder.h"

namespace warpfork::ooo {

namespace {

constexpr unsigned kPageShift = 12;

/// `size`: the key that the number of lines follows from, and its value.
unsigned sets(unsigned lines, unsigned ways, const char* what, std::string_view size) {
  if (ways == 0 || lines % ways != 0 || !std::has_single_bit(lines / ways))
    throw Error(
        "error: memory.{0}_ways is {1} and memory.{0}_{2}\n  of {3} lines, so many a set, there must be a power "
        "of two of sets",
        what, ways, size, lines);
  return lines / ways;
}

memory::TagArray tags(unsigned kilobytes, unsigned ways, unsigned line_bytes, const char* what) {
  const unsigned lines = kilobytes * 1024 / line_bytes;
  return {sets(lines, ways, what, fmt::format("kilobytes {}", kilobytes)), ways, line_bytes, false, "memory"};
}

/// Bytes in tenths of a gigabyte per second against cycles in megahertz, rounded up.
Cycle cycles_of(unsigned bytes, const DataMemorySpec& spec) {
  const std::uint64_t bytes_per_second_over_million = std::uint64_t{spec.gigabytes_per_second_times_10} * 100;
  return (std::uint64_t{bytes} * spec.megahertz + bytes_per_second_over_million - 1) / bytes_per_second_over_million;
}

}  // namespace

DataMemory::DataMemory(const DataMemorySpec& spec, unsigned lanes)
    : spec_(spec),
      line_shift_(static_cast<unsigned>(std::countr_zero(spec.line_bytes))),
      line_cycles_(cycles_of(spec.line_bytes, spec)),
      l1_(tags(spec.l1_kilobytes, spec.l1_ways, spec.line_bytes, "l1")),
      l2_(tags(spec.l2_kilobytes, spec.l2_ways, spec.line_bytes, "l2")),
      l1_ready_(l1_.places()),
      l2_ready_(l2_.places()),
      bank_load_(lanes),
      mshrs_(spec.mshrs) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    tlbs_.emplace_back(sets(spec.tlb_entries, spec.tlb_ways, "tlb", fmt::format("entries {}", spec.tlb_entries)),
                       spec.tlb_ways, 1u << kPageShift, false);
}

[[gnu::flatten]] DataMemory::Answer DataMemory::access(std::span<const std::uint64_t> addresses, LaneMask lanes,
                                                       unsigned bytes, bool store, Cycle now) {
  lines_.clear();
  Cycle translated = now;
  for (const std::uint64_t address : addresses) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
    lanes &= lanes - 1;
    ++counts_.accesses;
    const std::uint64_t last = address + bytes - 1;
    translated = std::max(translated, now + translate(lane, address));
    if (last >> kPageShift != address >> kPageShift) translated = std::max(translated, now + translate(lane, last));
    request(address >> line_shift_);
    if (last >> line_shift_ != address >> line_shift_) request(last >> line_shift_);
  }
  Answer answer;
  std::ranges::fill(bank_load_, 0u);
  for (const std::uint64_t line : lines_) {
    const unsigned turn = bank_load_[bank_of(line)]++;
    answer.slots = std::max(answer.slots, turn + 1);
    answer.ready = std::max(answer.ready, line_ready(line, store, translated + turn));
  }
  counts_.requests += lines_.size();
  counts_.bank_conflicts += answer.slots - 1;
  return answer;
}

void DataMemory::request(std::uint64_t line) {
  if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(line);
}

/// Cycles that the lane's translation takes beyond a hit.
Cycle DataMemory::translate(unsigned lane, std::uint64_t address) {
  memory::TagArray& tlb = tlbs_[lane];
  const std::uint64_t page = address >> kPageShift;
  if (const std::uint32_t place = tlb.find(page); place != memory::TagArray::kNone) {
    tlb.touch(place);
    return 0;
  }
  tlb.replace(tlb.victim(page), page);
  ++counts_.tlb_misses;
  return spec_.tlb_miss_latency;
}

/// From a hash of the set, so that the threads' stacks, which begin at page boundaries, do not share a bank.
unsigned DataMemory::bank_of(std::uint64_t line) const {
  return static_cast<unsigned>(remainder(line ^ line >> 3 ^ line >> 6 ^ line >> 12, bank_load_.size()));
}

Cycle DataMemory::line_ready(std::uint64_t line, bool store, Cycle now) {
  std::uint32_t place = l1_.find(line);
  if (place == memory::TagArray::kNone) {
    ++counts_.l1_misses;
    place = l1_.victim(line);
    if (l1_.state(place).dirty != 0) write_back(l1_.line(place), now);
    l1_.replace(place, line);
    l1_ready_[place] = below_l1(line, mshrs_.free_at(now));
    mshrs_.take(l1_ready_[place]);
  } else {
    l1_.touch(place);
  }
  if (store) l1_.state(place).dirty = 1;
  return std::max(now + spec_.l1_latency, l1_ready_[place]);
}

/// The L2 need not hold what the L1 holds.
void DataMemory::write_back(std::uint64_t line, Cycle now) {
  if (const std::uint32_t place = l2_.find(line); place != memory::TagArray::kNone) {
    l2_.state(place).dirty = 1;
    return;
  }
  ++counts_.write_backs;
  memory_transfer(now);
}

Cycle DataMemory::below_l1(std::uint64_t line, Cycle now) {
  ++counts_.l2_accesses;
  if (const std::uint32_t place = l2_.find(line); place != memory::TagArray::kNone) {
    l2_.touch(place);
    return std::max(now + spec_.l2_latency, l2_ready_[place]);
  }
  ++counts_.l2_misses;
  const std::uint32_t place = l2_.victim(line);
  if (l2_.state(place).dirty != 0) {
    ++counts_.write_backs;
    memory_transfer(now);
  }
  l2_.replace(place, line);
  return l2_ready_[place] = memory_transfer(now);
}

/// When a line that is asked for now has come; transfers wait for each other.
Cycle DataMemory::memory_transfer(Cycle now) {
  const Cycle start = std::max(now, memory_free_);
  memory_free_ = start + line_cycles_;
  return start + spec_.memory_latency;
}

}  // namespace warpfork::ooo
