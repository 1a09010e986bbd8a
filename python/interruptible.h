// Long work beside Python: other threads of it go on, and a signal's handler that raises ends the work.
#pragma once

#include <pthread.h>
#include <pybind11/pybind11.h>
#include <sched.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <functional>
#include <future>
#include <thread>

#include "process/deferred_signals.h"

namespace warpfork::python {

/// One of these signals that waits for this thread or for the process, which it then does no more; 0 if there is none.
inline int take_signal(const sigset_t& signals) {
  const timespec at_once{};
  const int signal = sigtimedwait(&signals, nullptr, &at_once);
  return signal > 0 ? signal : 0;
}

/// Calls Python's handlers of signals that have come. Throws what they raise.
inline void hear_signals() {
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

/// What `work` returns or throws. It runs on a thread of its own, whose present folder is its own, too, and on which
/// signals are held back (process::DeferredSignals): what ends a command of warpfork's at a signal of the terminal ends
/// `work`. Meanwhile this thread has Python's lock only to look for signals, a few times a second. If a handler raises
/// (Ctrl-C: KeyboardInterrupt), the work is sent SIGINT, and what was raised is thrown when it has ended.
///
/// `at_times` is called then, too; what it throws ends the work likewise.
template <class Work>
auto interruptible(const Work& work, const std::function<void()>& at_times = {}) {
  constexpr std::chrono::milliseconds kWait{50};
  std::packaged_task<decltype(work())()> task([&work] {
    unshare(CLONE_FS);
    return work();
  });
  auto result = task.get_future();
  int left = 0;  // a signal that was the process's, but found the work first
  std::jthread thread;
  {
    const process::DeferredSignals signals;  // a thread takes over what its maker holds back
    thread = std::jthread([&task, &left, deferred = signals.deferred()] {
      task();
      left = take_signal(deferred);
    });
  }
  std::exception_ptr raised;
  for (bool has_ended = false; !has_ended;) {
    {
      const pybind11::gil_scoped_release others_may_run;
      has_ended = result.wait_for(kWait) == std::future_status::ready;
    }
    if (raised) continue;
    try {
      hear_signals();
      if (at_times) at_times();
    } catch (const pybind11::error_already_set&) {
      raised = std::current_exception();
      if (!has_ended) pthread_kill(thread.native_handle(), SIGINT);
    }
  }
  thread.join();
  if (raised) std::rethrow_exception(raised);
  if (left != 0) {
    raise(left);
    hear_signals();
  }
  return result.get();
}

}  // namespace warpfork::python
