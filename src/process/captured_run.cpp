#include "process/captured_run.h"

#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "config/text_file.h"
#include "process/temporary_folder.h"

namespace warpfork::process {

namespace {

constexpr std::chrono::milliseconds kLook{5};

}  // namespace

CapturedRun run_captured(ChildCommand command, const DeferredSignals& signals, std::chrono::milliseconds time) {
  const TemporaryFolder folder;
  command.output = folder.path() / "output";
  command.errors = folder.path() / "errors";
  const bool is_ending = signals.came();
  const auto last = std::chrono::steady_clock::now() + time;
  const pid_t child = start_child(command, signals);
  CapturedRun run;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    run.was_in_time = std::chrono::steady_clock::now() < last;
    if (!run.was_in_time || (signals.came() && !is_ending)) kill(child, SIGKILL);
    std::this_thread::sleep_for(kLook);
  }
  run.end = end_of(status);
  run.output = config::read_text(*command.output);
  run.errors = config::read_text(*command.errors);
  return run;
}

}  // namespace warpfork::process
