#include "sweep/content_hash.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"

namespace warpfork::sweep {

namespace {

constexpr std::size_t kPiece = 1 << 16;  // bytes of a file that are read at a time

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }
  void add(std::string_view bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }
  std::string text() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
    sha256_digest(&state_, digest.size(), digest.data());
    std::string text;
    for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  sha256_ctx state_;
};

}  // namespace

std::string hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.text();
}

std::string hash_of_file(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> piece(kPiece);
  Sha256 hash;
  while (stream.read(piece.data(), kPiece) || stream.gcount() > 0)
    hash.add({piece.data(), static_cast<std::size_t>(stream.gcount())});
  if (!stream.eof()) throw Error("{}: error: cannot be read: {}", file.string(), std::strerror(errno));
  return hash.text();
}

}  // namespace warpfork::sweep
