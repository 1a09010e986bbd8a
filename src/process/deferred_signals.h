// The signals by which users and systems end a program, held back until temporary files are gone.
#pragma once

#include <csignal>

namespace warpfork::process {

/// Whether one of these waits for this thread, or for the process, because somebody holds it back.
bool deferred_signal_came();

/// While it lives SIGINT, SIGTERM, SIGHUP and SIGQUIT wait, but for those that the process ignores; those that came and
/// that nobody took end the process when it goes. So what must be cleaned up is made after it, threads that are started
/// meanwhile included (they inherit the mask), and a child must be given them back. Where several live, in one thread
/// or in threads started meanwhile, the first one decides when.
class DeferredSignals {
 public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals&) = delete;
  DeferredSignals& operator=(const DeferredSignals&) = delete;

  const sigset_t& deferred() const { return deferred_; }
  /// Whether one waits: long work of our own must end now.
  bool came() const { return deferred_signal_came(); }

 private:
  sigset_t deferred_, original_;
};

}  // namespace warpfork::process
