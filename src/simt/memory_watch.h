// What --memcheck has to know of device memory beside its contents (docs/checks.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "simt/reserved_bytes.h"

namespace warpfork::simt {

/// Of each byte whether it was written since it was allocated; and what has been freed, as long as its addresses have
/// not been given again.
class MemoryWatch {
 public:
  /// Of the memory [begin, begin + bytes), of which nothing was written.
  MemoryWatch(std::uint64_t begin, std::uint64_t bytes) : begin_(begin), written_(bytes) {}

  void write(std::uint64_t address, std::uint64_t bytes);
  /// A copy within the memory: what was not written at its source is not at its target either.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// The map of what was written: a byte for each from `address` on, 0 = not written.
  std::byte* written_from(std::uint64_t address) const { return written_.begin() + (address - begin_); }

  /// A launch begins: what is freed from here on was freed after it.
  void launch() { ++launches_; }
  void free(std::uint64_t address, std::uint64_t bytes, const std::string& label);
  /// [address, address + bytes) is given again.
  void reuse(std::uint64_t address, std::uint64_t bytes);
  /// "'cudaMalloc #3', 256 bytes at 0xc0000000, was freed after launch 2; the address is 4 bytes into it"; nothing if
  /// nothing lay there.
  std::optional<std::string> describe_freed(std::uint64_t address) const;

 private:
  struct Freed {
    std::uint64_t bytes, launches;  // launches that had begun
    std::string label;
  };

  std::uint64_t begin_;
  ReservedBytes written_;
  std::uint64_t launches_ = 0;
  std::map<std::uint64_t, Freed> freed_;  // by address
};

/// The first byte of `map`, of so many, that was not written; `bytes` if all were.
std::uint64_t first_unwritten(const std::byte* map, std::uint64_t bytes);

}  // namespace warpfork::simt
