#include "memory/tag_array.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace warpfork::memory {
namespace {

constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

}  // namespace

TagArray::TagArray(unsigned sets, unsigned ways, unsigned line_bytes, bool fermi_hash, std::string_view keys)
    : sets_(sets),
      ways_(ways),
      way_digits_(static_cast<unsigned>(std::bit_width(ways - 1))),
      line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      fermi_hash_(fermi_hash) {
  if (!std::has_single_bit(sets)) throw Error("{}.sets is {}; the sets must be a power of two", keys, sets);
  if (ways == 0) throw Error("{}.ways is 0; a set has at least 1 line", keys);
  if (!std::has_single_bit(line_bytes)) throw Error("{}.line_bytes is {}; it must be a power of two", keys, line_bytes);
  if (fermi_hash && sets != 32 && sets != 64)
    throw Error("{0}.sets is {1}, and {0}.hash_index is defined for 32 or 64 sets: change one of them", keys, sets);
  const std::size_t places = std::size_t{sets} * ways;
  tags_.assign(places, kNoLine);
  places_.assign(places, {});
}

/// Without branches, which nobody could foresee: the least of the numbers of which the higher digits are the last use
/// and the lower ones the way.
std::uint32_t TagArray::victim(std::uint64_t line) const {
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  const std::uint32_t first = set_of(line) * ways_;
  std::uint64_t least = kNever;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    const Place& place = places_[first + way];
    const std::uint64_t pending = -std::uint64_t{place.state.pending != 0};
    least = std::min(least, place.last_use << way_digits_ | way | pending);
  }
  return least == kNever ? kNone : first + static_cast<std::uint32_t>(least & ((1u << way_digits_) - 1));
}

void TagArray::replace(std::uint32_t index, std::uint64_t line) {
  tags_[index] = line;
  places_[index].state = {};
  touch(index);
}

void TagArray::drop(std::uint32_t index) {
  tags_[index] = kNoLine;
  places_[index] = {};
}

void TagArray::drop_all() {
  for (std::uint32_t i = 0; i < places(); ++i)
    if (places_[i].state.pending == 0) drop(i);
}

// Address bits 7 to 11, exclusive-or bits 13, 14, 15, 17 and 19; of 64 sets, bit 12 is the sixth index bit.
std::uint32_t TagArray::fermi_set(std::uint64_t line) const {
  const std::uint64_t address = line << line_shift_;
  const auto bits = [address](unsigned from, std::uint64_t mask) { return address >> from & mask; };
  const std::uint64_t low = line & 0x1f;
  const std::uint64_t high = bits(13, 7) | bits(17, 1) << 3 | bits(19, 1) << 4;
  const std::uint64_t sixth = sets_ == 64 ? bits(12, 1) << 5 : 0;
  return static_cast<std::uint32_t>((low ^ high) | sixth);
}

}  // namespace warpfork::memory
