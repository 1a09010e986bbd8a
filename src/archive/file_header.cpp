#include "archive/file_header.h"

#include <fmt/format.h>

#include <cstddef>

#include "archive/checksum.h"
#include "base/error.h"

namespace warpfork::archive {

namespace {

std::uint64_t checksum_of(const FileHeader& header) {
  return checksum({reinterpret_cast<const std::uint8_t*>(&header), offsetof(FileHeader, header_checksum)});
}

}  // namespace

std::string FileKind::remedy() const {
  return fmt::format("\n  {}, or copy the file again from where it is whole", again);
}

FileHeader header_of(const FileKind& kind, const Section& directory, std::uint64_t file_bytes) {
  FileHeader header{.magic = kind.magic, .version = kind.version, .file_bytes = file_bytes, .directory = directory};
  header.header_checksum = checksum_of(header);
  return header;
}

FileHeader read_header(const FileKind& kind, std::uint64_t file_bytes, const std::string& name,
                       const std::function<void(std::span<std::uint8_t>)>& read) {
  FileHeader header;
  if (file_bytes < sizeof header)
    throw Error("{}: is no {}: it has {} bytes, and the header alone has {}", name, kind.name, file_bytes,
                sizeof header);
  read({reinterpret_cast<std::uint8_t*>(&header), sizeof header});
  if (header.magic != kind.magic) throw Error("{}: is no {}\n  make one with: {}", name, kind.name, kind.maker);
  if (header.version < kind.oldest || header.version > kind.version)
    throw Error("{}: is a {} of version {}, this warpfork reads version{} {}\n  {}", name, kind.name, header.version,
                kind.oldest == kind.version ? "" : fmt::format("s {} to", kind.oldest), kind.version, kind.again);
  if (checksum_of(header) != header.header_checksum)
    throw Error("{}: offset 0: its header is damaged{}", name, kind.remedy());
  if (file_bytes != header.file_bytes)
    throw Error("{}: offset {}: the file {}: it should have {} bytes{}", name, file_bytes,
                file_bytes < header.file_bytes ? "is cut off here" : "is too long", header.file_bytes, kind.remedy());
  return header;
}

}  // namespace warpfork::archive
