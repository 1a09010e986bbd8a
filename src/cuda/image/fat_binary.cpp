#include "cuda/image/fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace warpfork::cuda {

namespace {

// Offsets in an entry's header; all numbers are little-endian.
constexpr std::size_t kEntryKind = 0, kEntryHeaderBytes = 4, kEntryPayloadBytes = 8, kEntryCompressedBytes = 16,
                      kEntryArchitecture = 28, kEntryFlags = 40, kEntryPlainBytes = 56, kEntryLeastBytes = 64;
constexpr std::uint16_t kPtxEntryHeaderBytes = 80;
constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;
/// A stated size beyond this is damage, not a program.
constexpr std::uint64_t kMostPlainBytes = 1u << 28;

template <typename Number>
Number read(std::span<const std::byte> bytes, std::size_t offset) {
  check(offset + sizeof(Number) <= bytes.size(), [] { return std::string("fat binary field outside its header"); });
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof(Number));
  return value;
}

template <typename Number>
void write(std::vector<std::byte>& bytes, std::size_t offset, Number value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(Number));
}

FatBinaryEntry::Compression compression_of(std::uint64_t flags) {
  if (flags & kFlagZstd) return FatBinaryEntry::Compression::Zstd;
  if (flags & kFlagLz4) return FatBinaryEntry::Compression::Lz4;
  return FatBinaryEntry::Compression::None;
}

/// Parses the entry at the start of `rest` and cuts it off.
FatBinaryEntry take_entry(std::span<const std::byte>& rest, std::size_t index) {
  if (rest.size() < kEntryLeastBytes)
    throw Error("fat binary: entry {} is cut off: {} bytes are left, its header needs {}", index, rest.size(),
                kEntryLeastBytes);
  const std::uint64_t header = read<std::uint32_t>(rest, kEntryHeaderBytes);
  const std::uint64_t padded = read<std::uint64_t>(rest, kEntryPayloadBytes);
  if (header < kEntryLeastBytes || header > rest.size() || padded > rest.size() - header)
    throw Error("fat binary: entry {} is cut off: it states {} + {} bytes, {} are left", index, header, padded,
                rest.size());
  FatBinaryEntry entry;
  entry.kind = static_cast<FatBinaryEntry::Kind>(read<std::uint16_t>(rest, kEntryKind));
  entry.architecture = read<std::uint32_t>(rest, kEntryArchitecture);
  entry.compression = compression_of(read<std::uint64_t>(rest, kEntryFlags));
  entry.plain_bytes = read<std::uint64_t>(rest, kEntryPlainBytes);
  entry.payload = rest.subspan(header, padded);
  if (entry.compression != FatBinaryEntry::Compression::None) {
    const std::uint64_t compressed = read<std::uint32_t>(rest, kEntryCompressedBytes);
    if (compressed > padded)
      throw Error("fat binary: entry {} states {} compressed bytes and holds {}", index, compressed, padded);
    entry.payload = entry.payload.first(compressed);
  }
  rest = rest.subspan(header + padded);
  return entry;
}

std::string decompress(const FatBinaryEntry& entry) {
  if (entry.plain_bytes > kMostPlainBytes)
    throw Error("fat binary: a PTX entry states {} bytes of text; the most is {}", entry.plain_bytes, kMostPlainBytes);
  std::string text(entry.plain_bytes, '\0');
  const auto* packed = reinterpret_cast<const char*>(entry.payload.data());
  bool whole = false;
  if (entry.compression == FatBinaryEntry::Compression::Zstd) {
    whole = ZSTD_decompress(text.data(), text.size(), packed, entry.payload.size()) == text.size();
  } else {
    const int written =
        LZ4_decompress_safe(packed, text.data(), static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
    whole = written >= 0 && static_cast<std::uint64_t>(written) == text.size();
  }
  if (!whole)
    throw Error("fat binary: the {} PTX does not decompress to the {} bytes it states",
                entry.compression == FatBinaryEntry::Compression::Zstd ? "zstd" : "LZ4", text.size());
  return text;
}

}  // namespace

std::uint64_t FatBinary::image_bytes(std::span<const std::byte> header) {
  if (header.size() < kHeaderBytes) throw Error("fat binary: the header is cut off at {} bytes", header.size());
  if (const auto magic = read<std::uint32_t>(header, 0); magic != kMagic)
    throw Error("fat binary: starts with {:#010x}, not {:#010x}", magic, kMagic);
  const std::uint64_t header_bytes = read<std::uint16_t>(header, 6), body = read<std::uint64_t>(header, 8);
  if (header_bytes < kHeaderBytes || body > ~header_bytes)
    throw Error("fat binary: a header of {} bytes and a body of {} make no sense", header_bytes, body);
  return header_bytes + body;
}

FatBinary::FatBinary(std::span<const std::byte> image) {
  const std::uint64_t stated = image_bytes(image);
  if (stated > image.size())
    throw Error("fat binary: cut off: the header states {} bytes, there are {}", stated, image.size());
  const std::size_t header = read<std::uint16_t>(image, 6);
  for (auto rest = image.subspan(header, stated - header); !rest.empty();)
    entries_.push_back(take_entry(rest, entries_.size()));
}

const FatBinaryEntry* FatBinary::best(std::uint32_t highest) const {
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : entries_)
    if (entry.kind == FatBinaryEntry::Kind::Ptx && entry.architecture <= highest &&
        (!best || entry.architecture > best->architecture))
      best = &entry;
  return best;
}

std::string FatBinary::best_ptx(std::uint32_t highest) const {
  if (const FatBinaryEntry* entry = best(highest)) return ptx_text(*entry);
  fail_without_ptx();
}

std::set<std::uint32_t> FatBinary::ptx_architectures() const {
  std::set<std::uint32_t> architectures;
  for (const FatBinaryEntry& entry : entries_)
    if (entry.kind == FatBinaryEntry::Kind::Ptx) architectures.insert(entry.architecture);
  if (architectures.empty()) fail_without_ptx();
  return architectures;
}

void FatBinary::fail_without_ptx() const {
  std::string machine_code;
  std::uint32_t newest = 0;
  for (const FatBinaryEntry& entry : entries_) {
    machine_code += fmt::format("{}sm_{}", machine_code.empty() ? "" : ", ", entry.architecture);
    newest = std::max(newest, entry.architecture);
  }
  if (machine_code.empty()) throw Error("fat binary: it holds no code at all");
  throw Error(
      "the program holds machine code for {} but no PTX, and only PTX can be simulated: rebuild it with -arch=sm_{} or "
      "add code=compute_{} to -gencode",
      machine_code, newest, newest);
}

std::string ptx_text(const FatBinaryEntry& entry) {
  std::string text = entry.compression == FatBinaryEntry::Compression::None
                         ? std::string(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size())
                         : decompress(entry);
  // The text ends at its terminator; what follows is padding.
  if (const auto end = text.find('\0'); end != std::string::npos) text.resize(end);
  return text;
}

std::vector<std::byte> wrap_ptx(const std::string& text, std::uint32_t architecture) {
  const std::uint64_t padded = (text.size() + 1 + 7) / 8 * 8;
  const std::size_t entry = FatBinary::kHeaderBytes, payload = entry + kPtxEntryHeaderBytes;
  std::vector<std::byte> image(payload + padded);
  write<std::uint32_t>(image, 0, FatBinary::kMagic);
  write<std::uint16_t>(image, 4, 1);
  write<std::uint16_t>(image, 6, FatBinary::kHeaderBytes);
  write<std::uint64_t>(image, 8, kPtxEntryHeaderBytes + padded);
  write<std::uint16_t>(image, entry + kEntryKind, static_cast<std::uint16_t>(FatBinaryEntry::Kind::Ptx));
  write<std::uint16_t>(image, entry + 2, 0x101);
  write<std::uint32_t>(image, entry + kEntryHeaderBytes, kPtxEntryHeaderBytes);
  write<std::uint64_t>(image, entry + kEntryPayloadBytes, padded);
  write<std::uint32_t>(image, entry + kEntryArchitecture, architecture);
  std::memcpy(image.data() + payload, text.data(), text.size());
  return image;
}

}  // namespace warpfork::cuda
