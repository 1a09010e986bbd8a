// The line that shows on a terminal how far a recording is.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

namespace warpfork::process {

/// Printed sample:
///   recording: 1 234 567 instructions, 12 s
std::string recording_progress_text(std::uint64_t instructions, std::chrono::seconds time);

/// While it lives, and after the first second, shows the line on standard error if that is a terminal. The cursor rests
/// at its start, so that what the program prints writes over it.
class RecordingProgress {
 public:
  /// `file` begins with the number of instructions so far, in 8 bytes, which the recorder keeps up to date.
  explicit RecordingProgress(const std::filesystem::path& file);
  ~RecordingProgress();
  RecordingProgress(const RecordingProgress&) = delete;
  RecordingProgress& operator=(const RecordingProgress&) = delete;

 private:
  std::jthread painter_;
};

}  // namespace warpfork::process
