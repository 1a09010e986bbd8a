// The tags of a set-associative cache with sectors, least recently used replacement and the set index of Fermi's L1.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpfork::memory {

/// State of the sectors of one line, a bit each. A cache without sectors uses bit 0.
struct LineState {
  std::uint8_t valid = 0;    // holds data
  std::uint8_t dirty = 0;    // newer than memory
  std::uint8_t pending = 0;  // a fetch is under way
  std::uint8_t partial = 0;  // valid only where it was written; a read must fetch first
};

/// Lines go by line number (address divided by the line size). A line with pending sectors is never replaced.
class TagArray {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `sets` is a power of two; `fermi_hash` needs 32 or 64 sets. Throws Error that names the key, of `keys`, otherwise.
  TagArray(unsigned sets, unsigned ways, unsigned line_bytes, bool fermi_hash, std::string_view keys = "cache");

  /// Index of the place that holds the line, or kNone.
  std::uint32_t find(std::uint64_t line) const {
    const std::uint32_t first = set_of(line) * ways_;
    for (std::uint32_t i = first; i < first + ways_; ++i)
      if (tags_[i] == line) return i;
    return kNone;
  }
  /// The place that a new line would take: an unused one of its set, else the least recently used one without pending
  /// sectors, else kNone.
  std::uint32_t victim(std::uint64_t line) const;
  /// Gives the place to the line, with no sector valid, and marks it used.
  void replace(std::uint32_t index, std::uint64_t line);
  /// Marks the place most recently used.
  void touch(std::uint32_t index) { places_[index].last_use = ++uses_; }
  /// The place is unused from now on.
  void drop(std::uint32_t index);
  /// Drops every line that has no pending sectors.
  void drop_all();

  LineState& state(std::uint32_t index) { return places_[index].state; }
  const LineState& state(std::uint32_t index) const { return places_[index].state; }
  /// The line number in a place that is in use.
  std::uint64_t line(std::uint32_t index) const { return tags_[index]; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(tags_.size()); }
  std::uint32_t set_of(std::uint64_t line) const { return fermi_hash_ ? fermi_set(line) : line & (sets_ - 1); }

 private:
  struct Place {
    std::uint64_t last_use = 0;  // 0: unused place, so it is older than any other
    LineState state;
  };

  std::uint32_t fermi_set(std::uint64_t line) const;

  unsigned sets_, ways_;
  unsigned way_digits_;  // binary ones of a way's number
  unsigned line_shift_;
  bool fermi_hash_;
  std::vector<std::uint64_t> tags_;
  std::vector<Place> places_;
  std::uint64_t uses_ = 0;
};

}  // namespace warpfork::memory
