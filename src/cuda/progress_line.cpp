#include "cuda/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <utility>

#include "report/kernel_name.h"
#include "report/text_table.h"

namespace warpfork::cuda {

namespace {

constexpr auto kBetween = std::chrono::milliseconds(200);
constexpr std::size_t kUsualColumns = 80;

std::size_t columns_of(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUsualColumns;
}

}  // namespace

std::string progress_text(const ProgressState& state, std::size_t columns) {
  const std::string rehearsal = state.rehearsal == 0 ? "" : fmt::format("rehearsal {}, ", state.rehearsal);
  const std::string front = fmt::format("launch {}, {}", state.launch, rehearsal);
  const std::string cycles = state.cycles == 0 ? "" : report::grouped(state.cycles) + " cycles, ";
  const std::string back = fmt::format(": {}{} of {} blocks, {} s", cycles, report::grouped(state.finished_blocks),
                                       report::grouped(state.blocks), state.seconds);
  const std::string mechanism = fmt::format(" ({})", state.mechanism);
  const std::size_t room = columns - std::min(columns, front.size() + back.size());
  const std::string line = front + state.kernel.substr(0, room) + back;
  return line.size() + mechanism.size() <= columns ? line + mechanism : line;
}

ProgressLine::ProgressLine(std::string mechanism, ProgressSpec spec)
    : spec_(spec), is_terminal_(isatty(spec.file) != 0), next_(start_ + spec.delay) {
  state_.mechanism = std::move(mechanism);
}

void ProgressLine::begin(const simt::Launch& launch) {
  ++state_.launch;
  if (!is_terminal_) return;
  state_.kernel = report::readable_kernel_name(launch.program->name);
  state_.blocks = launch.grid.count();
}

void ProgressLine::advanced(Cycle cycles, std::uint64_t finished_blocks) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kBetween;
  state_.cycles = cycles;
  state_.finished_blocks = finished_blocks;
  state_.seconds = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now - start_).count());
  // A line that fills the terminal would wrap, and the rest of it could not be erased.
  write(progress_text(state_, columns_of(spec_.file) - 1).append(kEraseProgress).append("\r"));
  is_shown_ = true;
}

void ProgressLine::rehearses(unsigned number) {
  state_.rehearsal = number;
  // A rehearsal is another process: it may have left a line of which this one does not know.
  if (number != 1) is_shown_ = is_terminal_;
}

void ProgressLine::end() {
  if (spec_.program_prints) erase();
}

void ProgressLine::erase() {
  if (std::exchange(is_shown_, false)) write(kEraseProgress);
}

void ProgressLine::write(const std::string& text) const {
  if (::write(spec_.file, text.data(), text.size()) < 0) return;  // a terminal that went away; the run goes on
}

}  // namespace warpfork::cuda
