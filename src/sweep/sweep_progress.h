// How far a sweep is, on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace warpfork::sweep {

/// Printed sample:
///   123 of 2 000 points, 3 failed, 41 s, about 12 min left
std::string sweep_progress_text(std::size_t ended, std::size_t failed, std::size_t all, double seconds);

/// On a terminal one line, kept up to date; elsewhere a line a minute.
class SweepProgress {
 public:
  explicit SweepProgress(std::size_t all);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  /// `remark`: what else there is to say, as the engine does.
  void tell(std::size_t ended, std::size_t failed, const std::string& remark);

 private:
  using Clock = std::chrono::steady_clock;

  const std::size_t all_;
  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace warpfork::sweep
