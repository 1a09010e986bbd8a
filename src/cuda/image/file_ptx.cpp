#include "cuda/image/file_ptx.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/fat_binary.h"

namespace warpfork::cuda {

namespace {

constexpr std::size_t kAlignment = 8;  // of fat binaries in a file

bool begins_here(std::span<const std::byte> bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() < FatBinary::kHeaderBytes) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == FatBinary::kMagic;
}

}  // namespace

std::vector<FilePtx> ptx_of_file(const std::filesystem::path& file) {
  const std::string text = config::read_text(file);
  std::vector<FilePtx> found;
  std::string why = "it holds no CUDA device code";
  std::span<const std::byte> rest = std::as_bytes(std::span(text));
  while (!rest.empty()) {
    std::size_t length = std::min(rest.size(), kAlignment);
    if (begins_here(rest)) {
      try {
        const FatBinary binary(rest);
        found.push_back({fmt::format("{}.{}.ptx", file.filename().string(), found.size()), binary.best_ptx()});
        length = std::min(rest.size(), (FatBinary::image_bytes(rest) + kAlignment - 1) / kAlignment * kAlignment);
      } catch (const Error& error) {  // another image may have some
        why = error.what();
      }
    }
    rest = rest.subspan(length);
  }
  if (found.empty()) throw Error("{}: {}", file.string(), why);
  return found;
}

}  // namespace warpfork::cuda
