#include "cuda/image/file_ptx.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/elf_section.h"
#include "cuda/image/fat_binary.h"
#include "ptx/linker.h"

namespace warpfork::cuda {

namespace {

constexpr std::size_t kAlignment = 8;                          // of fat binaries in a file
constexpr std::string_view kLinkedSection = "__nv_relfatbin";  // nvcc -rdc=true: what the device linker has linked

bool begins_here(std::span<const std::byte> bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() < FatBinary::kHeaderBytes) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == FatBinary::kMagic;
}

}  // namespace

std::vector<FilePtx> ptx_of_file(const std::filesystem::path& file) {
  const std::string text = config::read_text(file);
  std::span<const std::byte> rest = std::as_bytes(std::span(text));
  const std::span<const std::byte> linked = elf_section(rest, kLinkedSection);
  std::vector<std::vector<std::string>> images;
  std::optional<std::size_t> linked_image;
  std::string why = "it holds no CUDA device code";
  while (!rest.empty()) {
    std::size_t length = std::min(rest.size(), kAlignment);
    if (begins_here(rest)) {
      try {
        const FatBinary binary(rest);
        std::string unit = binary.best_ptx();
        const bool is_linked = !linked.empty() && rest.data() >= linked.data() && rest.data() <= &linked.back();
        if (!is_linked || !linked_image) images.emplace_back();
        if (is_linked && !linked_image) linked_image = images.size() - 1;
        images[is_linked ? *linked_image : images.size() - 1].push_back(std::move(unit));
        length = std::min(rest.size(), (FatBinary::image_bytes(rest) + kAlignment - 1) / kAlignment * kAlignment);
      } catch (const Error& error) {  // another image may have some
        why = error.what();
      }
    }
    rest = rest.subspan(length);
  }
  if (images.empty()) throw Error("{}: {}", file.string(), why);
  std::vector<FilePtx> found;
  for (const std::vector<std::string>& units : images) {
    const std::string name = fmt::format("{}.{}.ptx", file.filename().string(), found.size());
    found.push_back({name, ptx::link(units, name)});
  }
  return found;
}

}  // namespace warpfork::cuda
