#include "gpu/host_threads.h"

#include <pthread.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace warpfork::gpu {

namespace {

constexpr unsigned kLooks = 2000;  // about as long as the memory side's part of a window

/// Until the value is another one.
template <typename T>
void await_change(const std::atomic<T>& value, T old) {
  for (unsigned look = 0; look < kLooks; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    __builtin_ia32_pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

HostThreads::HostThreads(unsigned count, unsigned numbers, std::function<void(unsigned)> work)
    : numbers_(numbers), work_(std::move(work)), process_(getpid()) {
  // Signals are for the threads of the program that launches kernels.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::exception_ptr failure;
  try {
    others_.reserve(count);
    for (unsigned thread = 1; thread < count; ++thread) others_.emplace_back([this, thread] { serve(thread); });
  } catch (...) {
    failure = std::current_exception();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure) fail(failure, count);
}

void HostThreads::fail(const std::exception_ptr& failure, unsigned count) {
  end();
  try {
    std::rethrow_exception(failure);
  } catch (const std::system_error& error) {
    throw Error("host thread {} of {} cannot be started: {}\n  take fewer by --threads", this->count() + 1, count,
                error.what());
  }
}

HostThreads::~HostThreads() {
  if (getpid() != process_) {
    for (std::thread& other : others_) other.detach();
    return;
  }
  end();
}

void HostThreads::end() {
  ends_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void HostThreads::run(std::uint64_t numbers, const std::function<void()>* at_borders) {
  at_borders_ = at_borders;
  unfinished_.store(static_cast<unsigned>(std::popcount(numbers)), std::memory_order_relaxed);
  unclaimed_.store(numbers, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  take_part(0);
  for (unsigned left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire))
    await_change(unfinished_, left);
  if (failed_.load(std::memory_order_relaxed)) {
    failed_.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

/// A thread that wakes up late finds nothing unclaimed, or the next round's work, which is as good.
void HostThreads::serve(unsigned thread) {
  std::uint32_t seen = 0;
  while (true) {
    await_change(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (ends_.load(std::memory_order_relaxed)) return;
    take_part(thread);
  }
}

void HostThreads::take_part(unsigned thread) {
  const int first = static_cast<int>(thread * numbers_ / count());
  for (std::uint64_t left = unclaimed_.load(std::memory_order_acquire); left != 0;
       left = unclaimed_.load(std::memory_order_acquire)) {
    const int from_first = std::countr_zero(std::rotr(left, first));
    const auto number = static_cast<unsigned>(from_first + first) % 64;
    const std::uint64_t bit = std::uint64_t{1} << number;
    if ((unclaimed_.fetch_and(~bit, std::memory_order_acq_rel) & bit) == 0) continue;
    try {
      if (at_borders_ != nullptr) (*at_borders_)();
      work_(number);
    } catch (...) {
      if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
    }
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

}  // namespace warpfork::gpu
