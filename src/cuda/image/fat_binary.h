// The fat binary that a CUDA compiler embeds in an executable: a header and entries of PTX or machine code
// (NVIDIA publishes no description; the fields are those that nvcc 11 to 13 and clang write).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace warpfork::cuda {

/// One code image of a fat binary, still compressed.
struct FatBinaryEntry {
  enum class Kind : std::uint16_t { Ptx = 1, MachineCode = 2 };
  enum class Compression : std::uint8_t { None, Lz4, Zstd };
  Kind kind = Kind::Ptx;
  std::uint32_t architecture = 0;  // 75 for sm_75 or compute_75
  Compression compression = Compression::None;
  std::span<const std::byte> payload;
  std::uint64_t plain_bytes = 0;  // size after decompression
};

/// Views into the image it was parsed from, which must outlive it.
class FatBinary {
 public:
  static constexpr std::uint32_t kMagic = 0xBA55ED50;
  static constexpr std::size_t kHeaderBytes = 16;
  static constexpr std::uint32_t kAnyArchitecture = ~0u;

  /// Throws Error if the image is not a fat binary or any length in it points outside.
  explicit FatBinary(std::span<const std::byte> image);

  /// Bytes of the whole image by its header. `header` needs kHeaderBytes; throws Error if it is none.
  static std::uint64_t image_bytes(std::span<const std::byte> header);

  const std::vector<FatBinaryEntry>& entries() const { return entries_; }
  /// The PTX entry for the highest architecture that is not above `highest`, the first of equals; null if there is
  /// none.
  const FatBinaryEntry* best(std::uint32_t highest = kAnyArchitecture) const;
  /// Text of that entry. Throws Error if there is none, naming
  /// the machine code that there is and the compiler option that adds PTX:
  ///   the program holds machine code for sm_75 but no PTX: rebuild it with -arch=sm_75 or add code=compute_75
  std::string best_ptx(std::uint32_t highest = kAnyArchitecture) const;
  /// Those of the PTX entries, one at least. Throws Error as best_ptx() does.
  std::set<std::uint32_t> ptx_architectures() const;

 private:
  [[noreturn]] void fail_without_ptx() const;

  std::vector<FatBinaryEntry> entries_;
};

/// The text of a PTX entry. Throws Error if it does not decompress to the size it states.
std::string ptx_text(const FatBinaryEntry& entry);

/// A fat binary with the one PTX text, uncompressed: what `warpfork cc` embeds.
std::vector<std::byte> wrap_ptx(const std::string& text, std::uint32_t architecture);

}  // namespace warpfork::cuda
