// A table of plain text, columns aligned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::report {

/// Rows of cells; the first row is the heading. The first column is flush left, the others flush right.
///
/// Printed sample:
///   mechanism         cycles  speed-up
///   pdom             123 456      1.00
///   multi-path-or     98 765      1.25
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Each line begins with `indent` and ends with a line end. Where `columns` are fewer than the lines are long, cells
  /// of the first column are cut, to 12 characters at the least.
  std::string text(const std::string& indent = "", std::size_t columns = ~std::size_t{0}) const;
  /// Whether none is cut where the lines begin with nothing.
  bool fits(std::size_t columns) const;
  /// The same as a table of Markdown.
  std::string markdown() const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<std::vector<std::string>> rows_;
};

/// The first characters of a text (UTF-8), `most` with the "…" that stands for more.
std::string shortened(const std::string& text, std::size_t most);

/// 1234567 as "1 234 567".
std::string grouped(std::uint64_t count);
/// The same of something that takes an s: "1 point", "1 234 points".
std::string grouped(std::uint64_t count, std::string_view what);
/// 0.1234 as "12.3 %".
std::string percent(double part);
/// The same of `whole`, which may be 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace warpfork::report
