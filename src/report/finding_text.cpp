#include "report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/kernel_name.h"
#include "report/source_line.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kShown = 20;  // the others are in --json

std::string access_text(const AccessPlace& place) {
  if (place.empty()) return "";
  return fmt::format("     {:<7} {:<24} block ({},{},{}) thread ({},{},{})\n", place.access,
                     place_text(place.source, place.ptx_line), place.block[0], place.block[1], place.block[2],
                     place.thread[0], place.thread[1], place.thread[2]);
}

std::string allocation_text(const AllocationPlace& place) {
  return place.empty()
             ? ""
             : fmt::format("     '{}', {}: byte {}\n", place.name, counted(place.bytes, "byte"), place.offset);
}

/// One of Findings::checks, the kind of what it finds, and how that is called here.
struct Check {
  const char *name, *kind, *heading;
};
constexpr Check kChecks[] = {{"races", "race", "races"},
                             {"memory", "uninitialised", "reads of what nobody had written"}};

std::string text_of(const Check& check, std::span<const LaunchRecord> launches) {
  const auto was_made = [&](const LaunchRecord& launch) {
    return std::ranges::find(launch.findings.checks, check.name) != launch.findings.checks.end();
  };
  if (std::ranges::none_of(launches, was_made)) return "";
  std::string text = fmt::format("{}\n", check.heading);
  std::size_t number = 0;
  for (const LaunchRecord& launch : launches)
    for (const Finding& finding : launch.findings.list)
      if (finding.kind == check.kind && ++number <= kShown)
        text +=
            fmt::format("  {}. {}, {} memory at {:#x}, {}\n", number, readable_kernel_name(launch.name), finding.space,
                        finding.address, finding.count == 1 ? "once" : grouped(finding.count) + " times") +
            access_text(finding.first) + access_text(finding.second) + allocation_text(finding.allocation);
  if (number == 0) text += "  none found\n";
  if (number > kShown) text += fmt::format("  … {} more in --json\n", number - kShown);
  return text;
}

}  // namespace

std::size_t finding_count(std::span<const LaunchRecord> launches) {
  std::size_t count = 0;
  for (const LaunchRecord& launch : launches) count += launch.findings.list.size();
  return count;
}

std::string finding_text(std::span<const LaunchRecord> launches) {
  std::string text;
  for (const Check& check : kChecks) text += text_of(check, launches);
  return text;
}

}  // namespace warpfork::report
