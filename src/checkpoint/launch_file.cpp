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

constexpr const char* kRemedy = "\n  save the launch again, or copy the file again from where it is whole";
constexpr std::uint64_t kPieceBytes = 1 << 20;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 28;  // of the directory and of PTX
constexpr int kLevel = 3;                                        // of compression: memory may be large

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint64_t checksum_of(const Header& header) {
  return archive::checksum({reinterpret_cast<const std::uint8_t*>(&header), offsetof(Header, header_checksum)});
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
  std::string file(sizeof(Header), '\0');
  Directory directory{launch, append(file, bytes_of(ptx)), {}};
  for (const auto& [range, label] : launch.allocations)
    for (std::uint64_t done = 0; done < range.bytes; done += kPieceBytes) {
      const std::uint64_t address = range.address + done, bytes = std::min(kPieceBytes, range.bytes - done);
      const std::span raw(reinterpret_cast<const std::uint8_t*>(memory.find(address, bytes)), bytes);
      if (!is_zero(raw)) directory.pieces.push_back({address, append(file, raw)});
    }
  Header header;
  header.directory = append(file, bytes_of(to_text(directory)));
  header.file_bytes = file.size();
  header.header_checksum = checksum_of(header);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

LaunchFile::LaunchFile(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
  const Section directory = read_header().directory;
  directory_ = directory_from(section(directory, "its directory"),
                              fmt::format("{}: its directory at offset {}", name_, directory.offset));
}

Header LaunchFile::read_header() const {
  Header header;
  if (bytes_.size() < sizeof header)
    throw Error("{}: is no saved launch: it has {} bytes, and the header alone has {}", name_, bytes_.size(),
                sizeof header);
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.magic != kMagic)
    throw Error("{}: is no saved launch\n  make one with: warpfork run --save-launch N -o FILE.wfl PROGRAM", name_);
  if (header.version != kVersion)
    throw Error("{}: is a saved launch of version {}, this warpfork reads version {}\n  save the launch again", name_,
                header.version, kVersion);
  if (checksum_of(header) != header.header_checksum)
    throw Error("{}: offset 0: its header is damaged{}", name_, kRemedy);
  if (bytes_.size() != header.file_bytes)
    throw Error("{}: offset {}: the file {}: it should have {} bytes{}", name_, bytes_.size(),
                bytes_.size() < header.file_bytes ? "is cut off here" : "is too long", header.file_bytes, kRemedy);
  return header;
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
    if (place == nullptr) throw Error("{}: {} lies in no allocation{}", name_, part, kRemedy);
    read(piece.section, part, {reinterpret_cast<std::uint8_t*>(place), piece.section.raw_bytes});
  }
}

std::string LaunchFile::section(const Section& entry, const std::string& part) const {
  if (entry.raw_bytes > kMaxTextBytes)
    throw Error("{}: offset {}: {} is said to have {} bytes{}", name_, entry.offset, part, entry.raw_bytes, kRemedy);
  std::string raw(entry.raw_bytes, '\0');
  read(entry, part, {reinterpret_cast<std::uint8_t*>(raw.data()), raw.size()});
  return raw;
}

void LaunchFile::read(const Section& entry, const std::string& part, std::span<std::uint8_t> out) const {
  if (entry.offset > bytes_.size() || entry.bytes > bytes_.size() - entry.offset)
    throw Error("{}: offset {}: {} does not fit into the file{}", name_, entry.offset, part, kRemedy);
  const auto packed = bytes_of(bytes_).subspan(entry.offset, entry.bytes);
  if (archive::checksum(packed) != entry.checksum || !archive::Decompressor().decompress(packed, out))
    throw Error("{}: offset {}: {} is damaged{}", name_, entry.offset, part, kRemedy);
}

}  // namespace warpfork::checkpoint
