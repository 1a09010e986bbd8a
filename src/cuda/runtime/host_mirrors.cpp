#include "cuda/runtime/host_mirrors.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpfork::cuda {

namespace {

constexpr std::uint64_t kCompared = 4096;  // bytes at a time, most of which no kernel has changed

}  // namespace

void HostMirrors::add(std::uint64_t device, std::byte* contents, std::byte* host, std::uint64_t bytes) {
  mirrors_[device] = {contents, host, std::vector<std::byte>(bytes)};
}

std::byte* HostMirrors::host_of(std::uint64_t device, std::uint64_t bytes) const {
  const auto after = mirrors_.upper_bound(device);
  if (after == mirrors_.begin()) return nullptr;
  const auto& [begin, mirror] = *std::prev(after);
  const std::uint64_t offset = device - begin, whole = mirror.at_launch.size();
  return offset < whole && bytes <= whole - offset ? mirror.host + offset : nullptr;
}

void HostMirrors::before_launch() {
  for (auto& [device, mirror] : mirrors_) {
    std::memcpy(mirror.at_launch.data(), mirror.host, mirror.at_launch.size());
    std::memcpy(mirror.contents, mirror.at_launch.data(), mirror.at_launch.size());
  }
}

void HostMirrors::after_launch() {
  for (auto& [device, mirror] : mirrors_) {
    const std::uint64_t whole = mirror.at_launch.size();
    for (std::uint64_t begin = 0; begin < whole; begin += kCompared) {
      const std::uint64_t end = std::min(begin + kCompared, whole);
      if (std::memcmp(mirror.contents + begin, mirror.at_launch.data() + begin, end - begin) == 0) continue;
      for (std::uint64_t i = begin; i < end; ++i)
        if (mirror.contents[i] != mirror.at_launch[i]) mirror.host[i] = mirror.contents[i];
    }
  }
}

}  // namespace warpfork::cuda
