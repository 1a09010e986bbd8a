// A recording's bytes, read at given places and checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "x86/recording_format.h"

namespace warpfork::x86 {

/// By its first bytes; the rest may be damaged or of another version. False if there is no such file.
bool is_recording(const std::string& path);

/// Opens FILE.wft and checks header and directory. Everything else is checked when it is read. May be read by several
/// threads at once.
class RecordingFile {
 public:
  /// Throws Error with the file's name, the offset and the reason if it is not a whole recording of a version that is
  /// read.
  explicit RecordingFile(std::string path);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  const std::string& path() const { return path_; }
  const RecordingDirectory& directory() const { return directory_; }

  /// Reads `bytes.size()` bytes at `offset`. Throws Error, which names `part`, if there are not as many or their
  /// checksum is another.
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes, std::uint64_t expected, const std::string& part) const;

  /// The uncompressed bytes of a section, which messages call `part`.
  std::vector<std::uint8_t> section(const archive::Section& entry, const std::string& part) const;

 private:
  void read_bytes(std::uint64_t offset, std::span<std::uint8_t> bytes, const std::string& part) const;
  void check_places() const;

  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  RecordingDirectory directory_;
};

}  // namespace warpfork::x86
