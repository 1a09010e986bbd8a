#include "sweep/free_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace warpfork::sweep {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// Of /proc/meminfo, which counts in KiB.
std::uint64_t available() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name, rest; lines >> name; std::getline(lines, rest)) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && lines >> kibibytes) return kibibytes * 1024;
  }
  return kMost;
}

/// Of a file that holds one number; "max" is none.
std::uint64_t number_in(const char* file, std::uint64_t otherwise) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? number : otherwise;
}

std::uint64_t left_of_group() {
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", kMost);
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return limit == kMost ? kMost : limit - std::min(limit, used);
}

}  // namespace

std::uint64_t free_memory() { return std::min(available(), left_of_group()) / 10 * 9; }

}  // namespace warpfork::sweep
