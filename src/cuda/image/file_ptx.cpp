#include "cuda/image/file_ptx.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/archive_members.h"
#include "cuda/image/device_link.h"
#include "cuda/image/elf_section.h"
#include "cuda/image/fat_binary.h"

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

/// Of the fat binaries in one file.
class Images {
 public:
  /// `file` is all of an executable, a library or an object.
  void add(std::span<const std::byte> file) {
    const std::span<const std::byte> linked = elf_section(file, kLinkedSection);
    std::optional<std::size_t> linked_image;
    for (std::span<const std::byte> rest = file; !rest.empty();) {
      std::size_t length = std::min(rest.size(), kAlignment);
      if (begins_here(rest)) {
        try {
          const FatBinary binary(rest);
          std::string unit = binary.best_ptx();
          const bool is_linked = !linked.empty() && rest.data() >= linked.data() && rest.data() <= &linked.back();
          if (!is_linked || !linked_image) images_.emplace_back();
          if (is_linked && !linked_image) linked_image = images_.size() - 1;
          images_[is_linked ? *linked_image : images_.size() - 1].push_back(std::move(unit));
          length = std::min(rest.size(), (FatBinary::image_bytes(rest) + kAlignment - 1) / kAlignment * kAlignment);
        } catch (const Error& error) {  // another image may have some
          without_ = error.what();
        }
      }
      rest = rest.subspan(length);
    }
  }

  /// Throws Error if there is none in what there is.
  std::vector<FilePtx> ptx(const std::string& name) const {
    if (images_.empty() && !without_.empty()) throw Error("{}", without_);
    std::vector<FilePtx> found;
    for (const std::vector<std::string>& units : images_) {
      const std::string image = fmt::format("{}.{}.ptx", name, found.size());
      found.push_back({image, link_device_code(units, image)});
    }
    return found;
  }

 private:
  std::vector<std::vector<std::string>> images_;  // of their units
  std::string without_;                           // why one has no PTX
};

}  // namespace

std::vector<FilePtx> ptx_of_contents(std::span<const std::byte> contents, const std::string& name) {
  Images images;
  if (is_archive(contents))
    for (const std::span<const std::byte> member : archive_members(contents)) images.add(member);
  else
    images.add(contents);
  return images.ptx(name);
}

std::vector<FilePtx> ptx_of_file(const std::filesystem::path& file) {
  const std::string text = config::read_text(file);
  try {
    std::vector<FilePtx> found = ptx_of_contents(std::as_bytes(std::span(text)), file.filename().string());
    if (found.empty()) throw Error("it holds no CUDA device code");
    return found;
  } catch (const Error& error) {
    throw Error("{}: {}", file.string(), error.what());
  }
}

}  // namespace warpfork::cuda
