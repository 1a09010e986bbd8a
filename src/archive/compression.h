// Zstandard, as our files use it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

struct ZSTD_DCtx_s;

namespace warpfork::archive {

/// `level`: of zstd, 1 to 19, quick to small.
std::vector<std::uint8_t> compress(std::span<const std::uint8_t> bytes, int level = 9);

/// What `compressed`, by compress(), becomes. Nothing if it is damaged or becomes another number of bytes than these,
/// which a damaged file may say: memory is taken for no more than `compressed` itself announces.
std::optional<std::vector<std::uint8_t>> decompressed(std::span<const std::uint8_t> compressed, std::uint64_t bytes);

class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// False if `compressed` does not become exactly as many bytes as `out` has room for.
  bool decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> out);

 private:
  ZSTD_DCtx_s* context_;
};

}  // namespace warpfork::archive
