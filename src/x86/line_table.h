// Which line of the source an instruction comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpfork::x86 {

struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  bool operator==(const SourceLine&) const = default;
};

class LineTable {
 public:
  /// From `address` on, up to the next entry. Line 0: not known.
  struct Entry {
    std::uint64_t address = 0;
    std::uint32_t file = 0, line = 0;
  };

  LineTable() = default;
  /// `entries` are sorted by address.
  LineTable(std::vector<std::string> files, std::vector<Entry> entries);
  /// Throws Error, which names `what`, if the bytes are no table.
  LineTable(std::span<const std::uint8_t> bytes, const std::string& what);
  std::vector<std::uint8_t> to_bytes() const;

  std::optional<SourceLine> at(std::uint64_t address) const;
  /// The same table for these addresses alone, which are sorted.
  LineTable of(std::span<const std::uint64_t> addresses) const;
  bool is_empty() const { return entries_.empty(); }

 private:
  const Entry* find(std::uint64_t address) const;

  std::vector<std::string> files_;
  std::vector<Entry> entries_;
};

}  // namespace warpfork::x86
