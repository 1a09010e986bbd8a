#include "memory/coalescer.h"

#include <algorithm>
#include <array>

namespace warpfork::memory {

namespace {

constexpr unsigned kChunk = 32;  // bytes: the unit in which segments shrink

/// A segment while it is being collected.
struct Collected {
  std::uint64_t base;
  std::uint32_t chunks;                // 32-byte pieces touched
  std::array<std::uint64_t, 2> bytes;  // touched bytes, for atomics
};

unsigned segment_size(unsigned bytes) { return bytes == 1 ? 32 : bytes == 2 ? 64 : 128; }

Segment shrink(const Collected& collected, unsigned size) {
  std::uint64_t base = collected.base;
  std::uint32_t chunks = collected.chunks;
  while (size > kChunk) {
    const unsigned half = size / kChunk / 2;
    const std::uint32_t lower = (1u << half) - 1;
    if ((chunks & ~lower) == 0) {
      size /= 2;
    } else if ((chunks & lower) == 0) {
      size /= 2;
      base += size;
      chunks >>= half;
    } else {
      break;
    }
  }
  return {base, size};
}

bool overlaps(const Collected& collected, std::uint64_t offset, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    if (collected.bytes[(offset + i) / 64] >> (offset + i) % 64 & 1) return true;
  return false;
}

template <bool kAtomic>
unsigned collect(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                 std::span<Segment> segments) {
  const unsigned size = segment_size(bytes);
  std::array<Collected, kMaxWarpSize> collected;
  unsigned count = 0, last = 0;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t base = address[lane] & ~std::uint64_t{size - 1};
    const std::uint64_t offset = address[lane] - base;
    const std::uint32_t first_chunk = static_cast<std::uint32_t>(offset / kChunk);
    const std::uint32_t last_chunk =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(offset + bytes - 1, size - 1) / kChunk);
    const auto fits = [&](const Collected& c) { return c.base == base && (!kAtomic || !overlaps(c, offset, bytes)); };
    if (count == 0 || !fits(collected[last])) {
      last = 0;
      while (last < count && !fits(collected[last])) ++last;
      if (last == count) collected[count++] = {base, 0, {}};
    }
    collected[last].chunks |= 1u << first_chunk | 1u << last_chunk;
    if constexpr (kAtomic)
      for (unsigned i = 0; i < bytes; ++i)
        collected[last].bytes[(offset + i) / 64] |= std::uint64_t{1} << (offset + i) % 64;
  });
  for (unsigned i = 0; i < count; ++i) segments[i] = shrink(collected[i], size);
  return count;
}

}  // namespace

unsigned coalesce(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                  std::span<Segment> segments) {
  return collect<false>(address, lanes, bytes, segments);
}

unsigned coalesce_atomic(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned bytes,
                         std::span<Segment> segments) {
  return collect<true>(address, lanes, bytes, segments);
}

unsigned coalesce_lines(std::span<const std::uint64_t> address, ActiveMask lanes, unsigned line_bytes,
                        std::span<Segment> segments) {
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
