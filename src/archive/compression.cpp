#include "archive/compression.h"

#include <zstd.h>

#include "base/error.h"

namespace warpfork::archive {

std::vector<std::uint8_t> compress(std::span<const std::uint8_t> bytes, int level) {
  std::vector<std::uint8_t> compressed(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), level);
  check(!ZSTD_isError(size), [&] { return std::string("zstd: ") + ZSTD_getErrorName(size); });
  compressed.resize(size);
  return compressed;
}

std::optional<std::vector<std::uint8_t>> decompressed(std::span<const std::uint8_t> compressed, std::uint64_t bytes) {
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != bytes) return std::nullopt;
  std::vector<std::uint8_t> raw(bytes);
  if (!Decompressor().decompress(compressed, raw)) return std::nullopt;
  return raw;
}

Decompressor::Decompressor() : context_(ZSTD_createDCtx()) {}

Decompressor::~Decompressor() { ZSTD_freeDCtx(context_); }

bool Decompressor::decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> out) {
  return ZSTD_decompressDCtx(context_, out.data(), out.size(), compressed.data(), compressed.size()) == out.size();
}

}  // namespace warpfork::archive
