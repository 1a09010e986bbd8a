#include "report/launch_range.h"

#include <charconv>

#include "base/error.h"

namespace warpfork::report {

LaunchRange launch_range(std::string_view text) {
  LaunchRange range;
  if (text.empty()) return range;
  const auto number = [&](std::string_view digits, std::uint64_t open) {
    if (digits.empty()) return open;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value == 0)
      throw Error("--launches '{}': expected A-B, A-, -B or A, numbers from 1 on", text);
    return value;
  };
  const std::size_t dash = text.find('-');
  range.first = number(text.substr(0, dash), range.first);
  range.last = dash == text.npos ? range.first : number(text.substr(dash + 1), range.last);
  if (text == "-" || range.last < range.first)
    throw Error("--launches '{}': expected A-B with A not behind B, A-, -B or A", text);
  return range;
}

}  // namespace warpfork::report
