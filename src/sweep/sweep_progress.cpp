#include "sweep/sweep_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "cuda/progress_line.h"
#include "report/text_table.h"
#include "sweep/point_list.h"

namespace warpfork::sweep {

namespace {

constexpr std::chrono::milliseconds kOnTerminal{200}, kElsewhere{60'000};

}  // namespace

std::string sweep_progress_text(std::size_t ended, std::size_t failed, std::size_t all, double seconds) {
  std::string text = fmt::format("{} of {}", report::grouped(ended), report::grouped(all, "point"));
  if (failed != 0) text += fmt::format(", {} failed", report::grouped(failed));
  text += ", " + duration_text(seconds);
  if (ended != 0 && ended < all)
    text += fmt::format(", about {} left",
                        duration_text(seconds * static_cast<double>(all - ended) / static_cast<double>(ended)));
  return text;
}

SweepProgress::SweepProgress(std::size_t all)
    : all_(all), is_terminal_(isatty(STDERR_FILENO) != 0), next_(start_ + (is_terminal_ ? kOnTerminal : kElsewhere)) {}

SweepProgress::~SweepProgress() {
  if (is_terminal_) std::cerr << cuda::kEraseProgress << std::flush;
}

void SweepProgress::tell(std::size_t ended, std::size_t failed, const std::string& remark) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? kOnTerminal : kElsewhere);
  std::string text = sweep_progress_text(ended, failed, all_, std::chrono::duration<double>(now - start_).count());
  if (!remark.empty()) text += "; " + remark;
  if (is_terminal_)
    std::cerr << text << cuda::kEraseProgress << '\r' << std::flush;
  else
    std::cerr << "warpfork: " << text << std::endl;
}

}  // namespace warpfork::sweep
