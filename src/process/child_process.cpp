#include "process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "process/descriptor.h"

namespace warpfork::process {

namespace {

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& string : strings) all.push_back(string.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (std::none_of(settings.begin(), settings.end(), [&](const auto& setting) { return setting.first == name; }))
      environment.push_back(text);
  }
  for (const auto& [name, value] : settings) environment.push_back(name + "=" + value);
  return environment;
}

constexpr std::string_view kCannotBeStarted = "a child process cannot be started";

/// Everything that exec needs, made before fork: between the two nothing may be allocated, there may be other threads.
struct Execution {
  explicit Execution(const ChildCommand& command, const sigset_t& deferred) : deferred(deferred) {
    words.push_back(command.program);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    environment = environment_with(command.environment);
    argument_pointers = pointers(words);
    environment_pointers = pointers(environment);
    if (command.output) output = command.output->c_str();
    if (command.errors) errors = command.errors->c_str();
    output_to_error = command.output_to_error;
  }

  /// In the child. Returns only on failure, with its errno.
  int become(pid_t parent) {
    // The kernel's promise, so that it holds for a parent that is killed outright, too.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);  // it ended before the promise was made
    pthread_sigmask(SIG_UNBLOCK, &deferred, nullptr);
    if (output && !redirect(output, STDOUT_FILENO)) return errno;
    if (errors && !redirect(errors, STDERR_FILENO)) return errno;
    if (output_to_error && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return errno;
    execvpe(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    return errno;
  }

  static bool redirect(const char* name, int descriptor) {
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0 && close(file) == 0;
  }

  const sigset_t& deferred;
  std::vector<std::string> words, environment;
  std::vector<char*> argument_pointers, environment_pointers;
  const char *output = nullptr, *errors = nullptr;
  bool output_to_error = false;
};

/// Programs are looked up as a shell does it: a name without a slash only on the PATH.
std::string cause(const std::string& program, int failure) {
  std::error_code ignored;
  if (std::filesystem::is_directory(program, ignored)) return "it is a folder; name a program in it";
  const bool here = program.find('/') == std::string::npos && std::filesystem::exists(program);
  return std::strerror(failure) +
         (failure == ENOENT && here ? fmt::format("\n  to run the one in this folder: ./{}", program) : "");
}

/// Passes a signal that somebody sent to us alone on to the child: what the terminal sends, the child got as well.
int pass_on(int signals, pid_t child) {
  signalfd_siginfo received;
  if (read(signals, &received, sizeof received) != sizeof received) return 0;
  const int signal = static_cast<int>(received.ssi_signo);
  if (received.ssi_code != SI_KERNEL) kill(child, signal);
  return signal;
}

/// Waits until the child has ended, without reaping it. Returns the last signal that came meanwhile, 0 for none.
int attend(pid_t child, const sigset_t& awaited) {
  const Descriptor signals(signalfd(-1, &awaited, SFD_CLOEXEC), kCannotBeStarted);
  const Descriptor end(static_cast<int>(syscall(SYS_pidfd_open, child, 0)),  // glibc 2.36 declares its own for C alone
                       kCannotBeStarted);
  pollfd events[] = {{signals.number(), POLLIN, 0}, {end.number(), POLLIN, 0}};
  int received = 0;
  while (true) {
    if (poll(events, std::size(events), -1) < 0) continue;
    if (events[0].revents != 0) received = pass_on(signals.number(), child);
    if (events[1].revents != 0) return received;
  }
}

}  // namespace

ChildEnd end_of(int status) {
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

pid_t start_child(const ChildCommand& command, const DeferredSignals& signals) {
  Execution execution(command, signals.deferred());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error("{}: cannot be run: {}", command.program, std::strerror(errno));
  const Descriptor failure_in(ends[0], kCannotBeStarted);
  pid_t child = 0;
  {
    const Descriptor failure_out(ends[1], kCannotBeStarted);
    const pid_t parent = getpid();
    child = vfork();  // it shares our memory until it is another program: page tables need not be copied
    if (child == 0) {
      const int failure = execution.become(parent);
      _exit(write(failure_out.number(), &failure, sizeof failure) == sizeof failure ? 127 : 126);
    }
    if (child < 0) throw Error("{}: cannot be run: {}", command.program, std::strerror(errno));
  }
  int failure = 0;  // the pipe closes without a word when exec succeeds
  if (read(failure_in.number(), &failure, sizeof failure) == sizeof failure) {
    waitpid(child, nullptr, 0);
    throw Error("{}: cannot be run: {}", command.program, cause(command.program, failure));
  }
  return child;
}

ChildEnd run_child(const ChildCommand& command, const DeferredSignals& signals) {
  const pid_t child = start_child(command, signals);
  const int received = attend(child, signals.deferred());
  int status = 0;
  if (waitpid(child, &status, 0) < 0)
    throw Error("{}: lost sight of the process: {}", command.program, std::strerror(errno));
  const ChildEnd end = end_of(status);
  if (end.signal != 0 && end.signal == received) raise(received);  // waits, and ends us too when `signals` goes
  return end;
}

}  // namespace warpfork::process
