// What the programs with POSIX threads share: starting workers, and what workers wait with.
#pragma once

#include <pthread.h>

#include <vector>

#include "range.h"

namespace spmd {

// What a worker is started with: the data of all, and which of how many threads it is.
template <class Shared>
struct Start {
  Shared* shared;
  int thread, threads;
};

// Runs `worker` on `threads` threads, each with its Start<Shared>. The caller's is thread 0, so that no further thread
// lies idle, as in SPLASH-2.
template <class Shared>
void run_threads(int threads, void* (*worker)(void*), Shared& shared) {
  std::vector<Start<Shared>> starts;
  for (int thread = 0; thread < threads; ++thread) starts.push_back({&shared, thread, threads});
  std::vector<pthread_t> others(threads);
  for (int thread = 1; thread < threads; ++thread) pthread_create(&others[thread], nullptr, worker, &starts[thread]);
  worker(&starts[0]);
  for (int thread = 1; thread < threads; ++thread) pthread_join(others[thread], nullptr);
}

class Barrier {
 public:
  explicit Barrier(int threads) { pthread_barrier_init(&barrier_, nullptr, static_cast<unsigned>(threads)); }
  ~Barrier() { pthread_barrier_destroy(&barrier_); }
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  void wait() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};

class Lock {
 public:
  Lock() { pthread_mutex_init(&mutex_, nullptr); }
  ~Lock() { pthread_mutex_destroy(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void acquire() { pthread_mutex_lock(&mutex_); }
  void release() { pthread_mutex_unlock(&mutex_); }

 private:
  friend class Condition;
  pthread_mutex_t mutex_;
};

class Condition {
 public:
  Condition() { pthread_cond_init(&condition_, nullptr); }
  ~Condition() { pthread_cond_destroy(&condition_); }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  // Releases the lock, which the caller holds, while it waits; may return without a wake_all().
  void wait(Lock& lock) { pthread_cond_wait(&condition_, &lock.mutex_); }
  void wake_all() { pthread_cond_broadcast(&condition_); }

 private:
  pthread_cond_t condition_;
};

}  // namespace spmd
