#include "simt/memory_watch.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "base/text.h"

namespace warpfork::simt {

void MemoryWatch::write(std::uint64_t address, std::uint64_t bytes) { std::memset(written_from(address), 1, bytes); }

void MemoryWatch::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  std::memmove(written_from(to), written_from(from), bytes);
}

void MemoryWatch::free(std::uint64_t address, std::uint64_t bytes, const std::string& label) {
  written_.clear(address - begin_, bytes);
  freed_[address] = {bytes, launches_, label};
}

void MemoryWatch::reuse(std::uint64_t address, std::uint64_t bytes) {
  auto at = freed_.lower_bound(address);
  if (at != freed_.begin() && std::prev(at)->first + std::prev(at)->second.bytes > address) --at;
  while (at != freed_.end() && at->first < address + bytes) at = freed_.erase(at);
}

std::optional<std::string> MemoryWatch::describe_freed(std::uint64_t address) const {
  const auto after = freed_.upper_bound(address);
  if (after == freed_.begin()) return std::nullopt;
  const auto& [begin, freed] = *std::prev(after);
  if (address - begin >= freed.bytes) return std::nullopt;
  const std::string when =
      freed.launches == 0 ? "before the first launch" : fmt::format("after launch {}", freed.launches);
  return fmt::format("'{}', {} at {:#x}, was freed {}; the address is {} into it", freed.label,
                     counted(freed.bytes, "byte"), begin, when, counted(address - begin, "byte"));
}

std::uint64_t first_unwritten(const std::byte* map, std::uint64_t bytes) {
  const void* found = std::memchr(map, 0, bytes);
  return found == nullptr ? bytes : static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - map);
}

}  // namespace warpfork::simt
