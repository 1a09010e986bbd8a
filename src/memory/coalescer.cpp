#include "memory/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpfork::memory {

namespace {

constexpr unsigned kSmallest = 32;  // bytes of a segment

/// The bits in which addresses of the lanes, of which there are some, differ from that of the lowest one.
std::uint64_t differing_bits(std::span<const std::uint64_t> address, ActiveMask lanes) {
  const std::uint64_t first = address[lanes.lowest()];
  const unsigned count = lanes.count();
  std::uint64_t bits = 0;
  if (lanes == ActiveMask::first(count))  // a loop for the host's vector unit
    for (unsigned lane = 0; lane < count; ++lane) bits |= address[lane] ^ first;
  else
    lanes.for_each([&](unsigned lane) { bits |= address[lane] ^ first; });
  return bits;
}

/// A segment while it is being collected.
struct Collected {
  std::uint64_t first;                 // an address in it
  std::uint64_t differing;             // bits in which others that are touched differ
  std::array<std::uint64_t, 2> bytes;  // touched bytes, for atomics
};

unsigned segment_size(unsigned bytes) { return bytes == 1 ? 32 : bytes == 2 ? 64 : 128; }

/// The smallest one around all addresses that differ in no other bits.
Segment segment(std::uint64_t address, std::uint64_t differing) {
  const std::uint64_t size = differing < kSmallest ? kSmallest : std::bit_ceil(differing + 1);
  return {address & ~(size - 1), static_cast<std::uint32_t>(size)};
}

bool overlaps(const Collected& collected, std::uint64_t offset, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    if (collected.bytes[(offset + i) / 64] >> (offset + i) % 64 & 1) return true;
  return false;
}

template <bool kAtomic>
unsigned collect(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes, unsigned size,
                 std::span<Segment> segments) {
  std::array<Collected, kMaxWarpSize> collected;
  unsigned count = 0, current = 0;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t begin = address[lane], offset = begin & (size - 1);
    const std::uint64_t last = std::min(begin + bytes - 1, begin | (size - 1));
    const auto fits = [&](const Collected& c) {
      return (begin ^ c.first) < size && (!kAtomic || !overlaps(c, offset, bytes));
    };
    if (count == 0 || !fits(collected[current])) {
      current = 0;
      while (current < count && !fits(collected[current])) ++current;
      if (current == count) collected[count++] = {begin, 0, {}};
    }
    Collected& there = collected[current];
    there.differing |= (begin ^ there.first) | (last ^ there.first);
    if constexpr (kAtomic)
      for (unsigned i = 0; i < bytes; ++i) there.bytes[(offset + i) / 64] |= std::uint64_t{1} << (offset + i) % 64;
  });
  for (unsigned i = 0; i < count; ++i) segments[i] = segment(collected[i].first, collected[i].differing);
  return count;
}

}  // namespace

unsigned coalesce(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes, unsigned line_bytes,
                  std::span<Segment> segments) {
  if (lanes.none()) return 0;
  const unsigned size = std::min(segment_size(bytes), line_bytes);
  const std::uint64_t differing = differing_bits(address, lanes);
  const std::uint64_t first = address[lanes.lowest()];
  const bool is_aligned = std::has_single_bit(bytes) && bytes <= kSmallest && ((first | differing) & (bytes - 1)) == 0;
  if (differing >= size || !is_aligned) return collect<false>(address, lanes, bytes, size, segments);
  segments[0] = segment(first, differing);
  return 1;
}

unsigned coalesce_atomic(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                         std::span<Segment> segments) {
  return collect<true>(address, lanes, bytes, segment_size(bytes), segments);
}

unsigned coalesce_lines(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned line_bytes,
                        std::span<Segment> segments) {
  if (lanes.none()) return 0;
  if (differing_bits(address, lanes) < line_bytes) {
    segments[0] = {address[lanes.lowest()] & ~std::uint64_t{line_bytes - 1}, line_bytes};
    return 1;
  }
  unsigned count = 0;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t line = address[lane] & ~std::uint64_t{line_bytes - 1};
    for (unsigned i = 0; i < count; ++i)
      if (segments[i].address == line) return;
    segments[count++] = {line, line_bytes};
  });
  return count;
}

unsigned bank_conflict_rounds(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned banks) {
  std::uint64_t met = 0;  // banks
  const bool may_conflict = lanes.any_of([&](unsigned lane) {
    const std::uint64_t bank = std::uint64_t{1} << address[lane] / 4 % banks;
    const bool again = (met & bank) != 0;
    met |= bank;
    return again;
  });
  if (!may_conflict) return 1;
  // The words met so far, chained by bank.
  std::array<std::uint64_t, kMaxWarpSize> words;
  std::array<std::int8_t, kMaxWarpSize> next;
  std::array<std::int8_t, 64> head;
  std::array<std::uint8_t, 64> depth{};
  head.fill(-1);
  std::int8_t count = 0;
  unsigned rounds = 1;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t word = address[lane] / 4;
    const unsigned bank = static_cast<unsigned>(word % banks);
    for (std::int8_t i = head[bank]; i >= 0; i = next[i])
      if (words[i] == word) return;
    words[count] = word;
    next[count] = head[bank];
    head[bank] = count++;
    rounds = std::max<unsigned>(rounds, ++depth[bank]);
  });
  return rounds;
}

}  // namespace warpfork::memory
