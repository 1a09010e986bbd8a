#include "x86/line_table.h"

#include <algorithm>
#include <map>

#include "x86/byte_text.h"

namespace warpfork::x86 {

LineTable::LineTable(std::vector<std::string> files, std::vector<Entry> entries)
    : files_(std::move(files)), entries_(std::move(entries)) {}

LineTable::LineTable(std::span<const std::uint8_t> bytes, const std::string& what) {
  if (bytes.empty()) return;
  ByteReader in(bytes, what);
  for (auto left = in.take<std::uint32_t>(); left > 0; --left) files_.push_back(in.take_text());
  while (!in.is_at_end()) {
    Entry& entry = entries_.emplace_back();
    entry.address = in.take<std::uint64_t>();
    entry.file = in.take<std::uint32_t>();
    entry.line = in.take<std::uint32_t>();
    if (entry.file >= files_.size())
      throw Error("{}: names file {} of {}; it is damaged", what, entry.file, files_.size());
  }
}

std::vector<std::uint8_t> LineTable::to_bytes() const {
  ByteWriter out;
  if (entries_.empty()) return {};
  out.put(static_cast<std::uint32_t>(files_.size()));
  for (const std::string& file : files_) out.put_text(file);
  for (const Entry& entry : entries_) {
    out.put(entry.address);
    out.put(entry.file);
    out.put(entry.line);
  }
  return out.bytes();
}

const LineTable::Entry* LineTable::find(std::uint64_t address) const {
  const auto behind = std::upper_bound(entries_.begin(), entries_.end(), address,
                                       [](std::uint64_t wanted, const Entry& entry) { return wanted < entry.address; });
  return behind == entries_.begin() ? nullptr : &*std::prev(behind);
}

std::optional<SourceLine> LineTable::at(std::uint64_t address) const {
  const Entry* const entry = find(address);
  if (!entry || entry->line == 0) return std::nullopt;
  return SourceLine{files_[entry->file], entry->line};
}

LineTable LineTable::of(std::span<const std::uint64_t> addresses) const {
  LineTable result;
  std::map<std::uint32_t, std::uint32_t> kept;
  for (const std::uint64_t address : addresses) {
    const Entry* const entry = find(address);
    if (!entry) continue;
    const auto [file, is_new] = kept.emplace(entry->file, static_cast<std::uint32_t>(result.files_.size()));
    if (is_new) result.files_.push_back(files_[entry->file]);
    const Entry wanted{address, file->second, entry->line};
    const bool repeats = !result.entries_.empty() && result.entries_.back().file == wanted.file &&
                         result.entries_.back().line == wanted.line;
    if (!repeats) result.entries_.push_back(wanted);
  }
  return result;
}

}  // namespace warpfork::x86
