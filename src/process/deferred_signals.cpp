#include "process/deferred_signals.h"

#include <array>

namespace warpfork::process {

namespace {

constexpr std::array kDeferred = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

}  // namespace

bool deferred_signal_came() {
  sigset_t waiting;
  sigpending(&waiting);
  for (const int signal : kDeferred)
    if (sigismember(&waiting, signal) == 1) return true;
  return false;
}

DeferredSignals::DeferredSignals() {
  sigemptyset(&deferred_);
  for (const int signal : kDeferred) sigaddset(&deferred_, signal);
  pthread_sigmask(SIG_BLOCK, &deferred_, &original_);
}

DeferredSignals::~DeferredSignals() { pthread_sigmask(SIG_SETMASK, &original_, nullptr); }

}  // namespace warpfork::process
