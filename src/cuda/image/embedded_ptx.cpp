#include "cuda/image/embedded_ptx.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cuda/image/fat_binary.h"

namespace warpfork::cuda {

namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;

struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* image;
  const std::byte* const* linked;  // version 2: null-terminated list of fat binaries
};

FatBinary binary_at(const std::byte* start) {
  return FatBinary({start, FatBinary::image_bytes({start, FatBinary::kHeaderBytes})});
}

/// The fat binaries that hold the program's PTX, or the one that could say why there is none.
std::vector<FatBinary> binaries_behind(const void* pointer) {
  const auto& wrapper = *static_cast<const Wrapper*>(pointer);
  if (wrapper.magic != kWrapperMagic)
    throw Error("fat binary: the registered wrapper starts with {:#010x}, not {:#010x}", wrapper.magic, kWrapperMagic);
  if (wrapper.version != 1 && wrapper.version != 2)
    throw Error("fat binary: wrapper version {} is not known (1 and 2 are)", wrapper.version);
  std::vector<FatBinary> binaries;
  if (wrapper.version == 2 && wrapper.linked != nullptr)
    for (auto entry = wrapper.linked; *entry; ++entry)
      if (FatBinary binary = binary_at(*entry); binary.best()) binaries.push_back(std::move(binary));
  if (binaries.empty()) binaries.push_back(binary_at(wrapper.image));
  return binaries;
}

}  // namespace

std::vector<std::string> embedded_ptx(const void* wrapper, std::uint32_t highest) {
  std::vector<std::string> units;
  for (const FatBinary& binary : binaries_behind(wrapper)) units.push_back(binary.best_ptx(highest));
  return units;
}

std::vector<std::uint32_t> embedded_architectures(const void* wrapper) {
  std::set<std::uint32_t, std::greater<>> architectures;
  std::uint32_t least = 0;
  for (const FatBinary& binary : binaries_behind(wrapper)) {
    const std::set<std::uint32_t> here = binary.ptx_architectures();
    least = std::max(least, *here.begin());
    architectures.insert(here.begin(), here.end());
  }
  return {architectures.begin(), architectures.upper_bound(least)};
}

}  // namespace warpfork::cuda
