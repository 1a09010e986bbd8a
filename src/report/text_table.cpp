#include "report/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "report/ratio.h"

namespace warpfork::report {

namespace {

/// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

constexpr std::size_t kLeastFirst = 12, kBetween = 2;  // characters

}  // namespace

std::string shortened(const std::string& text, std::size_t most) {
  if (width(text) <= most) return text;
  std::string shown;
  std::size_t characters = 0;
  for (const char c : text) {
    characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (characters == most) break;
    shown += c;
  }
  return shown + "…";
}

/// Of the columns, each with the widest of its cells.
std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  return widths;
}

bool TextTable::fits(std::size_t columns) const {
  const std::vector<std::size_t> all = widths();
  return std::accumulate(all.begin(), all.end(), kBetween * (all.size() - 1)) <= columns;
}

std::string TextTable::text(const std::string& indent, std::size_t columns) const {
  std::vector<std::size_t> widths = this->widths();
  std::size_t others = indent.size();
  for (std::size_t i = 1; i < widths.size(); ++i) others += kBetween + widths[i];
  const std::size_t room = columns > others ? columns - others : 0;
  widths[0] = std::min(widths[0], std::max(room, kLeastFirst));
  std::string out;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = i == 0 ? shortened(row[i], widths[0]) : row[i];
      const std::string padding(widths[i] - width(cell), ' ');
      line += i == 0 ? cell + padding : std::string(kBetween, ' ') + padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string TextTable::markdown() const {
  std::string out;
  for (const auto& row : rows_) {
    out += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (&row != &rows_.front()) continue;
    out += "| ---";
    for (std::size_t i = 1; i < row.size(); ++i) out += " | ---:";
    out += " |\n";
  }
  return out;
}

std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

std::string grouped(std::uint64_t count, std::string_view what) {
  const std::string plain = counted(count, what);
  return grouped(count) + plain.substr(plain.find(' '));
}

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

std::string percent(std::uint64_t part, std::uint64_t whole) { return percent(ratio(part, whole)); }

}  // namespace warpfork::report
