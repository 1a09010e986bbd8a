// The line that shows on a terminal how far a long run is.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "gpu/launch_options.h"
#include "simt/launch.h"

namespace warpfork::cuda {

/// What the line says. `cycles` = 0: of a launch without timing, which has none.
struct ProgressState {
  std::string kernel, mechanism;
  std::uint64_t launch = 0;  // number of it, from 1 on
  Cycle cycles = 0;
  std::uint64_t finished_blocks = 0, blocks = 0;
  std::uint64_t seconds = 0;  // since the run began
  unsigned rehearsal = 0;     // number of it, from 1 on; 0 = the run itself
};

/// At most `columns` wide, where that can be: first the mechanism is left out, then the kernel's name is cut.
///
/// Printed sample:
///   launch 3, expand: 1 234 567 cycles, 12 of 96 blocks, 12 s (multi-path)
///   launch 3, rehearsal 2, expand: 1 234 567 cycles, 12 of 96 blocks, 12 s (capri)
std::string progress_text(const ProgressState& state, std::size_t columns);

/// Where and from when on a line is shown.
struct ProgressSpec {
  int file = STDERR_FILENO;                          // nothing is shown if it is no terminal
  bool program_prints = isatty(STDOUT_FILENO) != 0;  // to the same terminal, between launches
  std::chrono::milliseconds delay{1000};             // shorter runs show none
};

/// Shows the line while a kernel runs, a few times a second. It is painted by the thread that simulates, from within
/// the launch, where the program prints nothing. The cursor rests at its start: to erase what is behind the cursor
/// removes the line and nothing else.
class ProgressLine final : public gpu::LaunchProgress {
 public:
  explicit ProgressLine(std::string mechanism, ProgressSpec spec = {});
  ~ProgressLine() override { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void begin(const simt::Launch& launch);
  void advanced(Cycle cycles, std::uint64_t finished_blocks) override;
  void rehearses(unsigned number) override;
  /// The launch has ended. Makes room if the program may print; otherwise the line stays until the next one, so that
  /// it does not flicker where launches are short.
  void end();
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void write(const std::string& text) const;

  ProgressSpec spec_;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;  // when to paint it next
  ProgressState state_;
};

/// Erases the line that a program left: the runtime library in it cannot know that it ends.
inline constexpr const char* kEraseProgress = "\033[K";

}  // namespace warpfork::cuda
