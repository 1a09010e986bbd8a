#include "base/number_range.h"

#include <charconv>

#include "base/error.h"

namespace warpfork {

NumberRange number_range(std::string_view option, std::string_view text, std::uint64_t least) {
  NumberRange range{least};
  if (text.empty()) return range;
  const auto number = [&](std::string_view digits, std::uint64_t open) {
    if (digits.empty()) return open;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < least)
      throw Error("{} '{}': expected A-B, A-, -B or A, numbers from {} on", option, text, least);
    return value;
  };
  const std::size_t dash = text.find('-');
  range.first = number(text.substr(0, dash), range.first);
  range.last = dash == text.npos ? range.first : number(text.substr(dash + 1), range.last);
  if (text == "-" || range.last < range.first)
    throw Error("{} '{}': expected A-B with A not behind B, A-, -B or A", option, text);
  return range;
}

}  // namespace warpfork
