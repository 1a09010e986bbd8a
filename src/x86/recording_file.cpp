#include "x86/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "x86/recording_directory.h"

namespace warpfork::x86 {

namespace {

constexpr const char* kRemedy = "\n  record the program again, or copy the file again from where it is whole";
constexpr std::uint64_t kMaxRawBytes = std::uint64_t{1} << 32;  // of a section; a frame's tokens are fewer

}  // namespace

RecordingFile::RecordingFile(std::string path) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw Error("{}: cannot be read: {}", path_, std::strerror(errno));
  try {
    struct stat status {};
    if (fstat(file_, &status) != 0) throw Error("{}: cannot be read: {}", path_, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw Error("{}: is no file", path_);
    size_ = static_cast<std::uint64_t>(status.st_size);
    const RecordingHeader header = read_header();
    const SectionEntry entry{header.directory_offset, header.directory_bytes, header.directory_raw_bytes,
                             header.directory_checksum};
    directory_ = directory_from(section(entry, "its directory"),
                                fmt::format("{}: its directory at offset {}", path_, header.directory_offset));
    check_places();
  } catch (...) {
    close(file_);
    throw;
  }
}

RecordingFile::~RecordingFile() { close(file_); }

RecordingHeader RecordingFile::read_header() const {
  RecordingHeader header;
  if (size_ < sizeof header)
    throw Error("{}: is no recording of warpfork: it has {} bytes, and the header alone has {}", path_, size_,
                sizeof header);
  read_bytes(0, {reinterpret_cast<std::uint8_t*>(&header), sizeof header}, "its header");
  if (header.magic != kRecordingMagic)
    throw Error("{}: is no recording of warpfork\n  make one with: warpfork record -o FILE.wft -- PROGRAM", path_);
  if (header.version != kRecordingVersion)
    throw Error("{}: is a recording of version {}, this warpfork reads version {}\n  record the program again", path_,
                header.version, kRecordingVersion);
  if (checksum_of(header) != header.header_checksum)
    throw Error("{}: offset 0: its header is damaged{}", path_, kRemedy);
  if (size_ != header.file_bytes)
    throw Error("{}: offset {}: the file {}: it should have {} bytes{}", path_, size_,
                size_ < header.file_bytes ? "is cut off here" : "is too long", header.file_bytes, kRemedy);
  return header;
}

/// So that no later read can ask for more than there is, or for an absurd amount of memory.
void RecordingFile::check_places() const {
  for (std::size_t thread = 0; thread < directory_.threads.size(); ++thread)
    for (const FrameEntry& frame : directory_.threads[thread].frames)
      if (frame.offset > size_ || frame.header.compressed_bytes > size_ - frame.offset ||
          frame.header.tokens > kMaxRawBytes / sizeof(std::uint32_t) / 16)
        throw Error("{}: offset {}: a frame of thread {} does not fit into the file{}", path_, frame.offset, thread,
                    kRemedy);
}

void RecordingFile::read_bytes(std::uint64_t offset, std::span<std::uint8_t> bytes, const std::string& part) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("{}: offset {}: cannot be read: {}", path_, offset + done, std::strerror(errno));
    if (count == 0) throw Error("{}: offset {}: the file ends within {}{}", path_, offset + done, part, kRemedy);
    done += static_cast<std::size_t>(count);
  }
}

void RecordingFile::read(std::uint64_t offset, std::span<std::uint8_t> bytes, std::uint64_t expected,
                         const std::string& part) const {
  read_bytes(offset, bytes, part);
  if (archive::checksum(bytes) != expected) throw Error("{}: offset {}: {} is damaged{}", path_, offset, part, kRemedy);
}

std::vector<std::uint8_t> RecordingFile::section(const SectionEntry& entry, const std::string& part) const {
  if (entry.offset > size_ || entry.bytes > size_ - entry.offset || entry.raw_bytes > kMaxRawBytes)
    throw Error("{}: offset {}: {} does not fit into the file{}", path_, entry.offset, part, kRemedy);
  std::vector<std::uint8_t> compressed(entry.bytes), raw(entry.raw_bytes);
  read(entry.offset, compressed, entry.checksum, part);
  if (!archive::Decompressor().decompress(compressed, raw))
    throw Error("{}: offset {}: {} is damaged{}", path_, entry.offset, part, kRemedy);
  return raw;
}

}  // namespace warpfork::x86
