#include "process/recording_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <exception>
#include <fstream>
#include <mutex>
#include <system_error>

#include "cuda/progress_line.h"
#include "report/text_table.h"

namespace warpfork::process {

namespace {

constexpr std::chrono::milliseconds kDelay(1000), kBetween(200);

std::uint64_t read_count(const std::filesystem::path& path) {
  std::uint64_t count = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&count), sizeof count);
  return count;
}

/// Until it is asked to stop.
void paint(const std::stop_token& stop, const std::filesystem::path& file) {
  const auto begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  bool is_shown = false;
  for (auto pause = kDelay; !stopped.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); });
       pause = kBetween) {
    const auto time = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    fmt::print(stderr, "{}{}\r", recording_progress_text(read_count(file), time), cuda::kEraseProgress);
    is_shown = true;
  }
  if (is_shown) std::fputs(cuda::kEraseProgress, stderr);
}

void paint_while_possible(const std::stop_token& stop, const std::filesystem::path& file) {
  try {
    paint(stop, file);
  } catch (const std::exception&) {  // memory is short: nobody misses the line
  }
}

}  // namespace

std::string recording_progress_text(std::uint64_t instructions, std::chrono::seconds time) {
  return fmt::format("recording: {} instructions, {} s", report::grouped(instructions), time.count());
}

RecordingProgress::RecordingProgress(const std::filesystem::path& file) {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    painter_ = std::jthread([file](const std::stop_token& stop) { paint_while_possible(stop, file); });
  } catch (const std::system_error&) {  // no thread to be had: recordings do without
  }
}

RecordingProgress::~RecordingProgress() = default;

}  // namespace warpfork::process
