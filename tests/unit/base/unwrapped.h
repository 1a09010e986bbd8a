// Text for a terminal as it was before it was broken into lines.
#pragma once

#include <string>
#include <string_view>

namespace warpfork {

/// Lines that begin with this indent are the rest of the line before them.
inline std::string unwrapped(std::string text, std::string_view indent) {
  const std::string end = "\n" + std::string(indent);
  for (std::size_t at = 0; (at = text.find(end, at)) != text.npos;) text.replace(at, end.size(), " ");
  return text;
}

}  // namespace warpfork
