#include "cli/cpu_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "cuda/progress_line.h"
#include "report/text_table.h"

namespace warpfork::cli {

CpuProgress::~CpuProgress() {
  if (shown_) fmt::print(stderr, "\r{}", cuda::kEraseProgress);
}

void CpuProgress::operator()(std::uint64_t instructions) {
  if (isatty(STDERR_FILENO) == 0 || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  shown_ = true;
  fmt::print(stderr, "\r{}{}: {} of {} instructions", cuda::kEraseProgress, core_, report::grouped(instructions),
             report::grouped(instructions_));
  std::fflush(stderr);
}

ooo::Replay read_replay(const x86::Recording& recording) {
  std::uint64_t instructions = 0;
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) instructions += recording.instructions(thread);
  CpuProgress progress("reading", instructions);
  return ooo::Replay(recording, std::ref(progress));
}

}  // namespace warpfork::cli
