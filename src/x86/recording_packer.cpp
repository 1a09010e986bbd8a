#include "x86/recording_packer.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "archive/checksum.h"
#include "archive/compression.h"
#include "base/error.h"
#include "x86/emulator_faults.h"
#include "x86/recorded_code.h"
#include "x86/recording_directory.h"

namespace warpfork::x86 {

namespace {

std::vector<std::uint8_t> read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  return {all.begin(), all.end()};
}

void write_all(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw Error("{}: cannot be written: {}", path.string(), std::strerror(errno));
}

/// The recording while it is completed.
class GrowingFile {
 public:
  explicit GrowingFile(const std::filesystem::path& path)
      : path_(path.string()), file_(path, std::ios::binary | std::ios::in | std::ios::out) {
    file_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(file_.tellg());
    require();
  }

  std::uint64_t size() const { return size_; }

  void read(std::uint64_t offset, void* bytes, std::size_t count) {
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(count));
    require();
  }
  void write(std::uint64_t offset, const void* bytes, std::size_t count) {
    file_.seekp(static_cast<std::streamoff>(offset));
    file_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    file_.flush();
    require();
  }
  archive::Section append(std::span<const std::uint8_t> raw) {
    const std::vector<std::uint8_t> bytes = archive::compress(raw);
    const archive::Section entry{size_, bytes.size(), raw.size(), archive::checksum(bytes)};
    write(size_, bytes.data(), bytes.size());
    size_ += bytes.size();
    return entry;
  }

 private:
  void require() {
    if (!file_) throw Error("{}: cannot be written: {}", path_, std::strerror(errno));
  }

  std::string path_;
  std::fstream file_;
  std::uint64_t size_ = 0;
};

/// Finds the recorder's frames, one behind another.
void index_frames(GrowingFile& file, std::vector<ThreadEntry>& threads) {
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t offset = sizeof(archive::FileHeader); offset < file.size();) {
    FrameEntry frame;
    frame.offset = offset;
    file.read(offset, &frame.header, sizeof frame.header);
    bytes.resize(sizeof frame.header + frame.header.compressed_bytes);
    file.read(offset, bytes.data(), bytes.size());
    frame.checksum = archive::checksum(bytes);
    threads.at(frame.header.thread).frames.push_back(frame);
    offset += bytes.size();
  }
}

}  // namespace

void prepare_recorder_folder(const RecorderFolder& folder) {
  write_all(folder.frames(), std::vector<std::uint8_t>(sizeof(archive::FileHeader)));
  write_all(folder.progress(), std::vector<std::uint8_t>(sizeof(std::uint64_t)));
}

RecorderEnd read_recorder_end(const RecorderFolder& folder) {
  RecorderEnd end;
  std::ifstream file(folder.end());
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "stream") {
      RecorderEnd::Thread& thread = end.threads.emplace_back();
      words >> thread.creator >> thread.calls;
    }
    if (word == "never") end.has_started = false;
    if (word == "failed") std::getline(words >> std::ws, end.failure);
    if (word == "end") end.is_whole = true;
  }
  return end;
}

void pack_recording(const RecorderFolder& folder, const RecordingFacts& facts, const RecorderEnd& end,
                    const ElfProgram& program) {
  const std::vector<std::uint8_t> code = read_all(folder.code());
  refuse_emulator_faults(code, program, facts.program);
  RecordingDirectory directory;
  directory.facts = facts;
  for (const auto& [creator, calls] : end.threads) directory.threads.push_back({creator, calls, {}});
  GrowingFile file(folder.frames());
  index_frames(file, directory.threads);
  directory.code = file.append(code);
  directory.symbols = file.append(program.symbols.to_bytes());
  directory.lines = file.append(program.lines.of(instruction_addresses(code, folder.code().string())).to_bytes());
  const archive::Section last = file.append(to_bytes(directory));
  const archive::FileHeader header = archive::header_of(kRecordingKind, last, file.size());
  file.write(0, &header, sizeof header);
}

}  // namespace warpfork::x86
