// THREADS ROUNDS: threads enter a critical section by locks that have a deadline, a far one; then one has passed.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum, rounds;

static int lock_until(clockid_t clock, time_t seconds) {
  const struct timespec deadline = {seconds, 0};
  return clock == CLOCK_REALTIME ? pthread_mutex_timedlock(&the_lock, &deadline)
                                 : pthread_mutex_clocklock(&the_lock, clock, &deadline);
}

static void* worker(void* unused) {
  for (long round = 0; round < rounds; ++round) {
    if (lock_until(round % 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, 1L << 40) != 0) abort();
    ++sum;
    pthread_mutex_unlock(&the_lock);
  }
  return unused;
}

static void* late(void* unused) {
  return lock_until(CLOCK_REALTIME, 1) == ETIMEDOUT ? 0 : unused;
}

int main(int count, char** words) {
  const long threads = count > 1 ? atol(words[1]) : 2;
  rounds = count > 2 ? atol(words[2]) : 10;
  pthread_t ids[64], last;
  for (long number = 0; number < threads; ++number) pthread_create(&ids[number], 0, worker, 0);
  for (long number = 0; number < threads; ++number) pthread_join(ids[number], 0);
  void* result = 0;
  pthread_mutex_lock(&the_lock);
  pthread_create(&last, 0, late, words);
  pthread_join(last, &result);
  pthread_mutex_unlock(&the_lock);
  return result == 0 && sum == threads * rounds ? 0 : 1;
}
