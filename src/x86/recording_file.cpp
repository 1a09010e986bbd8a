#include "x86/recording_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "x86/recording_directory.h"

namespace warpfork::x86 {

namespace {

constexpr std::uint64_t kMaxRawBytes = std::uint64_t{1} << 32;  // of a section; a frame's tokens are fewer

}  // namespace

bool is_recording(const std::string& path) {
  auto magic = decltype(kRecordingKind.magic){};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return magic == kRecordingKind.magic;
}

RecordingFile::RecordingFile(std::string path) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw Error("{}: cannot be read: {}", path_, std::strerror(errno));
  try {
    struct stat status {};
    if (fstat(file_, &status) != 0) throw Error("{}: cannot be read: {}", path_, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw Error("{}: is no file", path_);
    size_ = static_cast<std::uint64_t>(status.st_size);
    const archive::FileHeader header = archive::read_header(
        kRecordingKind, size_, path_, [&](std::span<std::uint8_t> out) { read_bytes(0, out, "its header"); });
    directory_ = directory_from(section(header.directory, "its directory"), header.version,
                                fmt::format("{}: its directory at offset {}", path_, header.directory.offset));
    check_places();
  } catch (...) {
    close(file_);
    throw;
  }
}

RecordingFile::~RecordingFile() { close(file_); }

/// So that no later read can ask for more than there is, or for an absurd amount of memory.
void RecordingFile::check_places() const {
  for (std::size_t thread = 0; thread < directory_.threads.size(); ++thread)
    for (const FrameEntry& frame : directory_.threads[thread].frames)
      if (frame.offset > size_ || frame.header.compressed_bytes > size_ - frame.offset ||
          frame.header.tokens > kMaxRawBytes / sizeof(std::uint32_t) / 16)
        throw Error("{}: offset {}: a frame of thread {} does not fit into the file{}", path_, frame.offset, thread,
                    kRecordingKind.remedy());
}

void RecordingFile::read_bytes(std::uint64_t offset, std::span<std::uint8_t> bytes, const std::string& part) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("{}: offset {}: cannot be read: {}", path_, offset + done, std::strerror(errno));
    if (count == 0)
      throw Error("{}: offset {}: the file ends within {}{}", path_, offset + done, part, kRecordingKind.remedy());
    done += static_cast<std::size_t>(count);
  }
}

void RecordingFile::read(std::uint64_t offset, std::span<std::uint8_t> bytes, std::uint64_t expected,
                         const std::string& part) const {
  read_bytes(offset, bytes, part);
  if (archive::checksum(bytes) != expected)
    throw Error("{}: offset {}: {} is damaged{}", path_, offset, part, kRecordingKind.remedy());
}

std::vector<std::uint8_t> RecordingFile::section(const archive::Section& entry, const std::string& part) const {
  if (entry.offset > size_ || entry.bytes > size_ - entry.offset || entry.raw_bytes > kMaxRawBytes)
    throw Error("{}: offset {}: {} does not fit into the file{}", path_, entry.offset, part, kRecordingKind.remedy());
  std::vector<std::uint8_t> compressed(entry.bytes);
  read(entry.offset, compressed, entry.checksum, part);
  std::optional<std::vector<std::uint8_t>> raw = archive::decompressed(compressed, entry.raw_bytes);
  if (!raw) throw Error("{}: offset {}: {} is damaged{}", path_, entry.offset, part, kRecordingKind.remedy());
  return std::move(*raw);
}

}  // namespace warpfork::x86
