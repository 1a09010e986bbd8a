#include "cli/progress_line.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace warpfork::cli {

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void ProgressLine::show() {
  std::unique_lock lock(mutex_);
  for (int seconds = 1; !ended_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; }); ++seconds)
    std::fprintf(stderr, "\r\033[Kwarpfork: %s, %d s", what_.c_str(), seconds);
  std::fputs("\r\033[K", stderr);
}

}  // namespace warpfork::cli
