// Host threads that share the work on a GPU's cores (docs/adr/0029).
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace warpfork::gpu {

/// They live as long as this, and sleep while there is nothing to do: who waits looks a short while and then asks the
/// system to be woken, as the host's processors may be fewer, or busy.
class HostThreads {
 public:
  /// So many, the caller of run() among them. `work` is called with numbers below `numbers`, at most 64. Throws
  /// Error if the system does not start so many.
  HostThreads(unsigned count, unsigned numbers, std::function<void(unsigned)> work);
  /// In a process that was forked off the others do not exist, and nobody waits for them.
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  unsigned count() const { return static_cast<unsigned>(others_.size()) + 1; }

  /// Does the work once for each number of a set; returns when all is done. Which thread does what depends on
  /// chance, but each begins at its own place, so that the same thread does mostly the same. `at_borders`, if there is
  /// one, is called by each thread before each piece of work. Throws what one of them threw, when all is done.
  void run(std::uint64_t numbers, const std::function<void()>* at_borders = nullptr);

 private:
  [[noreturn]] void fail(const std::exception_ptr& failure, unsigned count);
  void end();
  void serve(unsigned thread);
  void take_part(unsigned thread);

  unsigned numbers_;
  std::function<void(unsigned)> work_;
  const std::function<void()>* at_borders_ = nullptr;
  int process_;
  std::atomic<std::uint64_t> unclaimed_{0};
  std::atomic<unsigned> unfinished_{0};  // pieces of work
  std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> ends_{false}, failed_{false};
  std::exception_ptr failure_;  // of the first that failed
  std::vector<std::thread> others_;
};

}  // namespace warpfork::gpu
