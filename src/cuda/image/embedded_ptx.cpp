#include "cuda/image/embedded_ptx.h"

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

/// The fat binary that holds the program's PTX, or that could say why there is none.
FatBinary binary_behind(const void* pointer) {
  const auto& wrapper = *static_cast<const Wrapper*>(pointer);
  if (wrapper.magic != kWrapperMagic)
    throw Error("fat binary: the registered wrapper starts with {:#010x}, not {:#010x}", wrapper.magic, kWrapperMagic);
  if (wrapper.version != 1 && wrapper.version != 2)
    throw Error("fat binary: wrapper version {} is not known (1 and 2 are)", wrapper.version);
  if (wrapper.version == 1 || wrapper.linked == nullptr) return binary_at(wrapper.image);

  std::vector<FatBinary> with_ptx;
  for (auto entry = wrapper.linked; *entry; ++entry)
    if (FatBinary binary = binary_at(*entry); binary.best()) with_ptx.push_back(std::move(binary));
  if (with_ptx.empty()) return binary_at(wrapper.image);
  if (with_ptx.size() > 1)
    throw Error(
        "the program links device code of {} source files (-rdc=true), which is not supported: rebuild it with "
        "-rdc=false, or put the device code into one source file",
        with_ptx.size());
  return with_ptx.front();
}

}  // namespace

std::string embedded_ptx(const void* wrapper) { return binary_behind(wrapper).best_ptx(); }

std::uint32_t embedded_architecture(const void* wrapper) {
  const FatBinary binary = binary_behind(wrapper);
  const FatBinaryEntry* entry = binary.best();
  return entry ? entry->architecture : 0;
}

}  // namespace warpfork::cuda
