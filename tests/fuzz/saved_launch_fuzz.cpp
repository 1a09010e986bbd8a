// libFuzzer target: a saved launch whose directory has other bytes, all checksums being right, is made ready to run or
// refused with an Error. The input is edits of four bytes: where in the directory (2), the bytes that are put there
// (2).
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "checkpoint/directory_json.h"
#include "checkpoint/launch_file.h"
#include "unit/checkpoint/sample_launch.h"

namespace {

using namespace warpfork;
using archive::FileHeader;

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A whole file and, unpacked, its directory.
struct Base {
  Base() {
    checkpoint::SampleLaunch sample;
    file = checkpoint::file_of(sample.saved(), checkpoint::kSamplePtx, sample.memory);
    std::memcpy(&header, file.data(), sizeof header);
    const auto packed = bytes_of(file).subspan(header.directory.offset, header.directory.bytes);
    directory.resize(header.directory.raw_bytes);
    archive::Decompressor().decompress(packed, {reinterpret_cast<std::uint8_t*>(directory.data()), directory.size()});
  }

  std::string file, directory;
  FileHeader header;
};

std::string edited_file(const std::uint8_t* edits, std::size_t size) {
  static const Base base;
  std::string directory = base.directory;
  for (; size >= 4; size -= 4, edits += 4)
    std::memcpy(directory.data() + (edits[0] | edits[1] << 8) % (directory.size() - 1), edits + 2, 2);
  const std::vector<std::uint8_t> packed = archive::compress(bytes_of(directory), 1);
  std::string file = base.file.substr(0, base.header.directory.offset);
  file.append(packed.begin(), packed.end());
  const archive::Section last{base.header.directory.offset, packed.size(), directory.size(), archive::checksum(packed)};
  const FileHeader header = archive::header_of(checkpoint::kFileKind, last, file.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const checkpoint::LaunchFile file(edited_file(data, size), "fuzz.wfl");
    simt::DeviceMemory memory(8 << 20);
    file.restore(memory);
    const checkpoint::SavedLaunch& saved = file.launch();
    simt::LoadedModule module(ptx::parse(file.ptx(), saved.module), saved.places, memory, simt::host_instruction_set(),
                              simt::CodeOptions{});
    module.kernel(saved.kernel);
  } catch (const Error&) {  // refused as it should be
  }
  return 0;
}
