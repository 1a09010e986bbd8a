#include "cuda/image/archive_members.h"

#include <charconv>
#include <string_view>

#include "base/error.h"

namespace warpfork::cuda {

namespace {

constexpr std::string_view kMagic = "!<arch>\n", kHeaderEnd = "`\n";
constexpr std::size_t kHeaderBytes = 60, kSizeAt = 48, kSizeDigits = 10, kEndAt = 58;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Bytes of the member behind the header.
std::size_t member_bytes(std::string_view header) {
  std::size_t bytes = 0;
  const std::string_view digits = header.substr(kSizeAt, kSizeDigits);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (error != std::errc() || header.substr(kEndAt) != kHeaderEnd) throw Error("the archive is damaged");
  return bytes;
}

}  // namespace

bool is_archive(std::span<const std::byte> file) { return text_of(file).starts_with(kMagic); }

std::vector<std::span<const std::byte>> archive_members(std::span<const std::byte> archive) {
  std::vector<std::span<const std::byte>> members;
  for (std::size_t at = kMagic.size(); at < archive.size();) {
    if (archive.size() - at < kHeaderBytes) throw Error("the archive is cut off");
    const std::size_t bytes = member_bytes(text_of(archive.subspan(at, kHeaderBytes)));
    at += kHeaderBytes;
    if (archive.size() - at < bytes) throw Error("the archive is cut off");
    members.push_back(archive.subspan(at, bytes));
    at += bytes + bytes % 2;  // each begins at an even offset
  }
  return members;
}

}  // namespace warpfork::cuda
