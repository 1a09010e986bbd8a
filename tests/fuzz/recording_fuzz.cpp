// libFuzzer target: a recording in whose parts some words are others, all checksums being right, is read to its end or
// refused with an Error. The input is edits of eight bytes: which part (1), where (3), the word that is put there (4).
//   FUZZ_RECORDING=small.wft build/fuzz/recording_fuzz       # made by: warpfork record -o small.wft -- ./program
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "x86/recording.h"
#include "x86/recording_directory.h"

namespace {

using namespace warpfork::x86;
using warpfork::archive::checksum;
using warpfork::archive::compress;
using warpfork::archive::Decompressor;
using Bytes = std::vector<std::uint8_t>;

struct Part {
  Bytes raw, packed;
  FrameEntry* frame = nullptr;  // null: a section
  warpfork::archive::Section* section = nullptr;
};

void append(Bytes& file, const void* bytes, std::size_t count) {
  const auto* const first = static_cast<const std::uint8_t*>(bytes);
  file.insert(file.end(), first, first + count);
}

warpfork::archive::Section append_section(Bytes& file, std::size_t raw_bytes, const Bytes& packed) {
  const warpfork::archive::Section entry{file.size(), packed.size(), raw_bytes, checksum(packed)};
  append(file, packed.data(), packed.size());
  return entry;
}

void append_frame(Bytes& file, const Bytes& packed, FrameEntry& frame) {
  frame.offset = file.size();
  frame.header.compressed_bytes = static_cast<std::uint32_t>(packed.size());
  append(file, &frame.header, sizeof frame.header);
  append(file, packed.data(), packed.size());
  frame.checksum = checksum(std::span(file).subspan(frame.offset));
}

/// The recording that is edited, unpacked.
struct Base {
  Base() {
    const char* const path = std::getenv("FUZZ_RECORDING");
    if (path == nullptr) throw warpfork::Error("FUZZ_RECORDING names no recording");
    const RecordingFile file(path);
    directory = file.directory();
    for (warpfork::archive::Section* const section : {&directory.code, &directory.symbols, &directory.lines})
      parts.push_back({file.section(*section, "a section"), {}, nullptr, section});
    for (ThreadEntry& thread : directory.threads)
      for (FrameEntry& frame : thread.frames) {
        Bytes packed(sizeof frame.header + frame.header.compressed_bytes);
        file.read(frame.offset, packed, frame.checksum, "a frame");
        Part& part = parts.emplace_back();
        part.frame = &frame;
        part.raw.resize(frame.header.tokens * sizeof(std::uint32_t));
        Decompressor().decompress(std::span(packed).subspan(sizeof frame.header), part.raw);
      }
    for (Part& part : parts) part.packed = compress(part.raw);
  }

  RecordingDirectory directory;
  std::vector<Part> parts;
};

Bytes edited(Bytes raw, std::span<const std::uint8_t> edits) {
  for (; !edits.empty() && raw.size() >= 4; edits = edits.subspan(8)) {
    const std::size_t at = (edits[1] | edits[2] << 8 | edits[3] << 16) % (raw.size() - 3);
    std::memcpy(raw.data() + at, edits.data() + 4, 4);
  }
  return raw;
}

Bytes edited_file(std::span<const std::uint8_t> edits) {
  static Base base;
  std::vector<Bytes> edits_of(base.parts.size() + 1);  // the last: of the directory
  for (; edits.size() >= 8; edits = edits.subspan(8)) append(edits_of[edits[0] % edits_of.size()], edits.data(), 8);
  const auto packed = [&](std::size_t part) {
    return edits_of[part].empty() ? base.parts[part].packed : compress(edited(base.parts[part].raw, edits_of[part]));
  };
  Bytes file(sizeof(warpfork::archive::FileHeader));
  for (std::size_t part = 0; part < base.parts.size(); ++part)
    if (FrameEntry* const frame = base.parts[part].frame) append_frame(file, packed(part), *frame);
  for (std::size_t part = 0; part < base.parts.size(); ++part)
    if (warpfork::archive::Section* const section = base.parts[part].section)
      *section = append_section(file, base.parts[part].raw.size(), packed(part));
  const Bytes directory = edited(to_bytes(base.directory), edits_of.back());
  const warpfork::archive::Section entry = append_section(file, directory.size(), compress(directory));
  const auto header = warpfork::archive::header_of(kRecordingKind, entry, file.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

void read_whole(const std::string& path) {
  const Recording recording(path);
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    const auto stream = recording.open(thread);
    DynamicInstruction instruction;
    while (stream->next(instruction)) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes file = edited_file({data, size});
  const int descriptor = memfd_create("recording", 0);
  const bool written = write(descriptor, file.data(), file.size()) == static_cast<ssize_t>(file.size());
  warpfork::check(written, [] { return "the file in memory cannot be written"; });
  try {
    read_whole("/proc/self/fd/" + std::to_string(descriptor));
  } catch (const warpfork::Error&) {  // refused as it should be
  }
  close(descriptor);
  return 0;
}
