#include "process/deferred_signals.h"

#include <array>

namespace warpfork::process {

namespace {

constexpr std::array kDeferred = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// As nohup leaves SIGHUP, and a shell's script SIGINT to what it starts with `&`. Blocked it would wait all the same.
bool is_ignored(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

bool deferred_signal_came() {
  sigset_t waiting;
  sigpending(&waiting);
  for (const int signal : kDeferred)
    if (sigismember(&waiting, signal) == 1 && !is_ignored(signal)) return true;
  return false;
}

DeferredSignals::DeferredSignals() {
  sigemptyset(&deferred_);
  for (const int signal : kDeferred)
    if (!is_ignored(signal)) sigaddset(&deferred_, signal);
  pthread_sigmask(SIG_BLOCK, &deferred_, &original_);
}

DeferredSignals::~DeferredSignals() { pthread_sigmask(SIG_SETMASK, &original_, nullptr); }

}  // namespace warpfork::process
