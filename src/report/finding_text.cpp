#include "report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/kernel_name.h"
#include "report/source_line.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kShown = 20;  // the others are in --json

std::string access_text(const AccessPlace& place) {
  return fmt::format("     {:<7} {:<24} block ({},{},{}) thread ({},{},{})\n", place.access,
                     place_text(place.source, place.ptx_line), place.block[0], place.block[1], place.block[2],
                     place.thread[0], place.thread[1], place.thread[2]);
}

}  // namespace

std::size_t finding_count(std::span<const LaunchRecord> launches) {
  std::size_t count = 0;
  for (const LaunchRecord& launch : launches) count += launch.findings.list.size();
  return count;
}

std::string finding_text(std::span<const LaunchRecord> launches) {
  if (std::ranges::all_of(launches, [](const LaunchRecord& launch) { return launch.findings.empty(); })) return "";
  std::string text = "races\n";
  std::size_t number = 0;
  for (const LaunchRecord& launch : launches)
    for (const Finding& finding : launch.findings.list)
      if (++number <= kShown)
        text += fmt::format("  {}. {}, {} memory at {:#x}, {} times\n", number, readable_kernel_name(launch.name),
                            finding.space, finding.address, grouped(finding.count)) +
                access_text(finding.first) + access_text(finding.second);
  if (number == 0) text += "  none found\n";
  if (number > kShown) text += fmt::format("  … {} more in --json\n", number - kShown);
  return text;
}

}  // namespace warpfork::report
