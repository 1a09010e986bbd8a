// One thread's tokens, frame by frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/compression.h"
#include "x86/recording_file.h"

namespace warpfork::x86 {

class FrameReader {
 public:
  FrameReader(const RecordingFile& file, std::uint32_t thread);

  /// The tokens of the next frame; false if there is none. Throws Error with offset, thread and frame if it is damaged.
  bool next(std::vector<std::uint32_t>& tokens);
  /// "FILE: offset O: thread T, frame N of M" of the frame read last.
  std::string place() const;

 private:
  const std::vector<FrameEntry>& frames() const { return file_.directory().threads[thread_].frames; }

  const RecordingFile& file_;
  std::uint32_t thread_;
  std::size_t read_ = 0;  // frames
  std::vector<std::uint8_t> bytes_;
  archive::Decompressor decompressor_;
};

}  // namespace warpfork::x86
