// What the race check remembers of every word that a kernel has touched (docs/checks.md).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace warpfork::gpu {

/// Of one thread. Time counts the memory accesses and barriers of the launch.
struct PastAccess {
  enum class Kind : std::uint8_t { None, Read, Write, Atomic };

  std::uint32_t time = 0, block = 0;  // block: its number in the grid
  Pc pc = 0;
  std::uint16_t thread = 0, warp = 0;  // numbers in the block
  Kind kind = Kind::None;
  bool is_volatile = false;

  bool exists() const { return kind != Kind::None; }
  bool writes() const { return kind == Kind::Write || kind == Kind::Atomic; }
  /// Made to meet others: these do not race among themselves.
  bool is_synchronising() const { return kind == Kind::Atomic || is_volatile; }
};

/// A word, or a byte where some access was narrower.
struct ShadowCell {
  PastAccess write;
  PastAccess reads[2];  // since the write, of different warps
  std::uint32_t value = 0;
  bool is_known = false;  // what it held after the last access
};

class AccessShadow {
 public:
  /// visit(cell, address, bytes) for each cell that an aligned access touches.
  template <class Visit>
  void touch(std::uint64_t address, unsigned bytes, Visit&& visit) {
    Page& page = page_of(address, bytes);
    for (std::uint64_t at = address; at < address + bytes; at += page.unit)
      visit(page.cells[at % kPageBytes / page.unit], at, page.unit);
  }
  void clear() { pages_.clear(); }

 private:
  static constexpr std::uint64_t kPageBytes = 1024;
  struct Page {
    unsigned unit = 4;  // bytes of a cell
    std::vector<ShadowCell> cells = std::vector<ShadowCell>(kPageBytes / 4);
  };

  Page& page_of(std::uint64_t address, unsigned bytes) {
    Page& page = pages_[address / kPageBytes];
    if (bytes < page.unit) part(page);
    return page;
  }
  /// From here on every byte has its own cell.
  static void part(Page& page);

  std::unordered_map<std::uint64_t, Page> pages_;  // found by address only: their order is nobody's
};

}  // namespace warpfork::gpu
