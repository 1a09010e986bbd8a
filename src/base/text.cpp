#include "base/text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace warpfork {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t most) {
  std::vector<std::string> sorted = known;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(wanted, a) < edit_distance(wanted, b);
  });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

std::string no_such_name(std::string_view what, std::string_view name, std::string_view all,
                         const std::vector<std::string>& known) {
  return fmt::format("there is no {} '{}'\n  did you mean {}? all {}: {}", what, name,
                     nearest_names(name, known, 1).front(), all, fmt::join(known, ", "));
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with("ch") ? "es" : "s");
}

}  // namespace warpfork
