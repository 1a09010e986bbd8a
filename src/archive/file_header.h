// What our files of compressed sections begin with: recordings, saved launches.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace warpfork::archive {

/// A compressed part of a file.
struct Section {
  std::uint64_t offset = 0, bytes = 0, raw_bytes = 0, checksum = 0;
};

/// Which files there are.
struct FileKind {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::string_view name;           ///< "saved launch"
  std::string_view maker;          ///< the command that makes one
  std::string_view again;          ///< what to do where one cannot be read: "save the launch again"
  std::uint32_t oldest = version;  ///< version that is read

  /// Ends the message about a damaged file.
  std::string remedy() const;
};

/// The first bytes of the file.
struct FileHeader {
  std::array<char, 8> magic{};
  std::uint32_t version = 0;
  std::uint32_t header_bytes = 64;
  std::uint64_t file_bytes = 0;
  Section directory;                  ///< which holds the checksums of everything else
  std::uint64_t header_checksum = 0;  ///< of the 56 bytes before
};
static_assert(sizeof(FileHeader) == 64);

FileHeader header_of(const FileKind& kind, const Section& directory, std::uint64_t file_bytes);

/// The header of a file of `file_bytes`, of which `read` fetches the first ones. Throws Error with the file's `name`,
/// the offset and the remedy if it is not a whole file of this kind and version.
FileHeader read_header(const FileKind& kind, std::uint64_t file_bytes, const std::string& name,
                       const std::function<void(std::span<std::uint8_t>)>& read);

}  // namespace warpfork::archive
