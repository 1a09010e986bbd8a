#include "html_report/source_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "config/text_file.h"

namespace warpfork::html_report {

namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr std::uint64_t kAround = 3;  // lines before and behind those that cost something

/// Empty if none of the places has it.
fs::path find_file(const std::string& name, std::span<const fs::path> places) {
  for (const fs::path& place : places) {
    if (place.filename() == name && fs::is_regular_file(place)) return place;
    if (fs::is_regular_file(place / name)) return place / name;
  }
  return {};
}

struct Range {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
};

std::map<std::string, Range> ranges(const Json& kernels) {
  std::map<std::string, Range> files;
  for (const Json& kernel : kernels)
    for (const Json& line : kernel.at("lines")) {
      const std::string file = line.at("file").get<std::string>();
      if (file.empty()) continue;
      Range& range = files[file];
      range.first = std::min(range.first, line.at("line").get<std::uint64_t>());
      range.last = std::max(range.last, line.at("line").get<std::uint64_t>());
    }
  return files;
}

Json lines_of(const fs::path& path, std::uint64_t first, std::uint64_t last) {
  std::istringstream text(config::read_text(path));
  Json lines = Json::array();
  std::string line;
  for (std::uint64_t number = 1; number <= last && std::getline(text, line); ++number)
    if (number >= first) lines.push_back(line);
  return lines;
}

}  // namespace

Json source_texts(const Json& kernels, std::span<const fs::path> places, fs::file_time_type results_written) {
  Json texts = Json::object();
  for (const auto& [name, range] : ranges(kernels)) {
    const fs::path path = find_file(name, places);
    if (path.empty()) continue;
    const std::uint64_t first = range.first > kAround ? range.first - kAround : 1;
    texts[name] = {{"path", path.string()},
                   {"first", first},
                   {"lines", lines_of(path, first, range.last + kAround)},
                   {"newer", fs::last_write_time(path) > results_written}};
  }
  return texts;
}

}  // namespace warpfork::html_report
