#include "x86/frame_reader.h"

#include <cstring>

#include "base/error.h"

namespace warpfork::x86 {

FrameReader::FrameReader(const RecordingFile& file, std::uint32_t thread) : file_(file), thread_(thread) {}

std::string FrameReader::place() const {
  if (read_ == 0) return fmt::format("{}: thread {}", file_.path(), thread_);
  return fmt::format("{}: offset {}: thread {}, frame {} of {}", file_.path(), frames()[read_ - 1].offset, thread_,
                     read_, frames().size());
}

bool FrameReader::next(std::vector<std::uint32_t>& tokens) {
  if (read_ == frames().size()) return false;
  const FrameEntry& frame = frames()[read_++];
  bytes_.resize(sizeof frame.header + frame.header.compressed_bytes);
  file_.read(frame.offset, bytes_, frame.checksum,
             fmt::format("thread {}, frame {} of {}", thread_, read_, frames().size()));
  tokens.resize(frame.header.tokens);
  const bool is_same = std::memcmp(bytes_.data(), &frame.header, sizeof frame.header) == 0;
  const std::span<std::uint8_t> out(reinterpret_cast<std::uint8_t*>(tokens.data()), tokens.size() * sizeof tokens[0]);
  if (!is_same || !decompressor_.decompress(std::span(bytes_).subspan(sizeof frame.header), out))
    throw Error("{}: is damaged\n  record the program again", place());
  return true;
}

}  // namespace warpfork::x86
