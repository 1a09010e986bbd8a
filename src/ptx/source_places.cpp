#include "ptx/source_places.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace warpfork::ptx {

namespace {

constexpr unsigned kMostLevels = 64;  // of functions that are inlined in one another

/// Where NVIDIA's installer and Debian's packages put headers.
bool is_of_toolkit(std::string_view path) {
  constexpr std::array<std::string_view, 2> kFolders = {"/usr/include/", "/usr/lib/"};
  const auto is_below = [&](std::string_view folder) { return path.starts_with(folder); };
  return path.find("/targets/x86_64-linux/include/") != path.npos || std::ranges::any_of(kFolders, is_below);
}

}  // namespace

/// As the parser has yet to say what is wrong with such a line, one that is not understood is none here.
SourcePlaces::SourcePlaces(std::string_view text) {
  constexpr std::string_view kDirective = ".file";
  for (std::size_t at = text.find(kDirective); at != text.npos; at = text.find(kDirective, at + 1)) {
    std::string_view rest = text.substr(at + kDirective.size());
    rest = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::uint32_t number = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec != std::errc()) continue;
    const std::size_t begin = rest.find('"'), end = rest.rfind('"');
    if (begin < end && is_of_toolkit(rest.substr(begin + 1, end - begin - 1))) toolkit_files_.insert(number);
  }
}

SourcePlace SourcePlaces::place(SourcePlace loc, std::optional<SourcePlace> inlined_at) {
  if (toolkit_files_.empty()) return loc;
  if (inlined_at) callers_[loc] = *inlined_at;
  for (unsigned level = 0; level < kMostLevels && toolkit_files_.contains(loc.file); ++level) {
    const auto caller = callers_.find(loc);
    if (caller == callers_.end()) break;
    loc = caller->second;
  }
  return loc;
}

}  // namespace warpfork::ptx
