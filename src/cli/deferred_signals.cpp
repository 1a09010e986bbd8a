#include "cli/deferred_signals.h"

#include <initializer_list>

namespace warpfork::cli {

DeferredSignals::DeferredSignals() {
  sigemptyset(&deferred_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&deferred_, signal);
  pthread_sigmask(SIG_BLOCK, &deferred_, &original_);
}

DeferredSignals::~DeferredSignals() { pthread_sigmask(SIG_SETMASK, &original_, nullptr); }

}  // namespace warpfork::cli
