// SPDX-License-Identifier: GPL-2.0-or-later
// The file that takes the frames of all streams, in the order in which they are full.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace recorder {

/// Written before each frame's compressed tokens.
struct FrameHeader {
  std::uint32_t stream, compressed_bytes, tokens, instructions;
};

/// May be used by several threads at once.
class FrameFile {
 public:
  FrameFile() = default;
  ~FrameFile();
  FrameFile(const FrameFile&) = delete;
  FrameFile& operator=(const FrameFile&) = delete;

  /// Frames go behind what the file holds. False if it cannot be written.
  bool open(const std::string& path);
  void close();

  /// `bytes` begins with a FrameHeader. After a failure nothing more is written.
  void append(const std::vector<std::uint8_t>& bytes);
  /// Empties the file, which makes room on a full disk to say so.
  void discard();
  /// 0, or the errno of the first failure.
  int failure() const { return failure_; }

 private:
  int file_ = -1;
  std::atomic<std::uint64_t> end_ = 0;
  std::atomic<int> failure_ = 0;
};

}  // namespace recorder
