#include "checkpoint/launch_file.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "checkpoint/directory_json.h"

namespace warpfork::checkpoint {

namespace {

constexpr std::uint64_t kPieceBytes = 1 << 20;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 28;  // of the directory and of PTX
constexpr int kLevel = 3;                                        // of compression: memory may be large

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Section append(std::string& file, std::span<const std::uint8_t> raw) {
  const std::vector<std::uint8_t> packed = archive::compress(raw, kLevel);
  const Section section{file.size(), packed.size(), raw.size(), archive::checksum(packed)};
  file.append(packed.begin(), packed.end());
  return section;
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::string file_of(const SavedLaunch& launch, const std::string& ptx, simt::DeviceMemory& memory) {
  std::string file(sizeof(archive::FileHeader), '\0');
  Directory directory{launch, append(file, bytes_of(ptx)), {}};
  for (const auto& [range, label] : launch.allocations)
    for (std::uint64_t done = 0; done < range.bytes; done += kPieceBytes) {
      const std::uint64_t address = range.address + done, bytes = std::min(kPieceBytes, range.bytes - done);
      const std::span raw(reinterpret_cast<const std::uint8_t*>(memory.find(address, bytes)), bytes);
      if (!is_zero(raw)) directory.pieces.push_back({address, append(file, raw)});
    }
  const Section last = append(file, bytes_of(to_text(directory)));
  const archive::FileHeader header = archive::header_of(kFileKind, last, file.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

LaunchFile::LaunchFile(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
  const auto read = [&](std::span<std::uint8_t> out) { std::memcpy(out.data(), bytes_.data(), out.size()); };
  const Section directory = archive::read_header(kFileKind, bytes_.size(), name_, read).directory;
  directory_ = directory_from(section(directory, "its directory"),
                              fmt::format("{}: its directory at offset {}", name_, directory.offset));
}

void LaunchFile::restore(simt::DeviceMemory& memory) const {
  for (const auto& [range, label] : directory_.launch.allocations) try {
      memory.allocate_at(range.address, range.bytes, label);
    } catch (const Error& error) {
      throw Error("{}: {}", name_, error.what());
    }
  for (const Piece& piece : directory_.pieces) {
    const std::string part = fmt::format("what lies at {:#x}", piece.address);
    std::byte* const place = memory.find(piece.address, piece.section.raw_bytes);
    if (place == nullptr) throw Error("{}: {} lies in no allocation{}", name_, part, kFileKind.remedy());
    read(piece.section, part, {reinterpret_cast<std::uint8_t*>(place), piece.section.raw_bytes});
  }
}

std::string LaunchFile::section(const Section& entry, const std::string& part) const {
  if (entry.raw_bytes > kMaxTextBytes)
    throw Error("{}: offset {}: {} is said to have {} bytes{}", name_, entry.offset, part, entry.raw_bytes,
                kFileKind.remedy());
  std::string raw(entry.raw_bytes, '\0');
  read(entry, part, {reinterpret_cast<std::uint8_t*>(raw.data()), raw.size()});
  return raw;
}

void LaunchFile::read(const Section& entry, const std::string& part, std::span<std::uint8_t> out) const {
  if (entry.offset > bytes_.size() || entry.bytes > bytes_.size() - entry.offset)
    throw Error("{}: offset {}: {} does not fit into the file{}", name_, entry.offset, part, kFileKind.remedy());
  const auto packed = bytes_of(bytes_).subspan(entry.offset, entry.bytes);
  if (archive::checksum(packed) != entry.checksum || !archive::Decompressor().decompress(packed, out))
    throw Error("{}: offset {}: {} is damaged{}", name_, entry.offset, part, kFileKind.remedy());
}

}  // namespace warpfork::checkpoint
