// The line that shows on a terminal that a long run is alive.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace warpfork::cli {

/// While it lives, and from one second on, shows `what` and the seconds so far on standard error, and wipes the line at
/// its end. Does nothing where standard error is no terminal.
///
/// Printed sample:
///   warpfork: simulating bfs under multi-path, 12 s
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace warpfork::cli
