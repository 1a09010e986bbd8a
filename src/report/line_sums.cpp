#include "report/line_sums.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "report/record_sum.h"
#include "report/source_line.h"

namespace warpfork::report {

namespace {

/// "ld.global" of "@%p1 ld.global.f32 %f1, [%rd1];": instruction and memory.
std::string kind_of(const LineCount& line) {
  std::string text = line.ptx.starts_with('@') ? line.ptx.substr(line.ptx.find(' ') + 1) : line.ptx;
  text = text.substr(0, text.find(' '));
  const std::size_t dot = text.find('.');
  return text.substr(0, dot == text.npos ? dot : text.find('.', dot + 1));
}

}  // namespace

std::uint64_t LineSum::stalled() const {
  return std::accumulate(count.stalls.begin(), count.stalls.end(), std::uint64_t{0});
}

std::string LineSum::place() const { return place_text(count.source, count.ptx_line); }

std::vector<LineSum> sum_lines(std::span<const LaunchRecord> launches, bool by_kind) {
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, LineSum> sums;
  for (const LaunchRecord& launch : launches)
    for (const LineCount& line : launch.lines.instructions) {
      const bool known = !line.source.empty();
      const std::string kind = by_kind ? kind_of(line) : "";
      const auto [place, added] =
          sums.try_emplace({line.source.file, known ? line.source.line : 0, known ? 0 : line.ptx_line, kind});
      LineSum& sum = place->second;
      if (added) {
        sum = {line, line.ptx_line};
        continue;
      }
      add(sum.count, line);
      sum.count.ptx_line = std::min(sum.count.ptx_line, line.ptx_line);
      sum.last_ptx_line = std::max(sum.last_ptx_line, line.ptx_line);
    }
  std::vector<LineSum> list;
  for (auto& [key, sum] : sums) list.push_back(std::move(sum));
  return list;
}

}  // namespace warpfork::report
