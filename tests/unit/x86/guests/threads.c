// THREADS ROUNDS WORK: as many threads do as much work, and so often go through a critical section and a barrier; then
// one waits on a condition for the first.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

pthread_barrier_t the_barrier;
pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER, the_other_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t the_condition = PTHREAD_COND_INITIALIZER;
static volatile long sum, rounds, work;
static volatile char table[1 << 16];
static volatile int is_waiting, is_set;

__attribute__((noinline)) void worker_body(long number) {
  for (long step = 0; step < work; ++step) table[step * 37 * number & 0xffff] = 1;
  for (long round = 0; round < rounds; ++round) {
    pthread_mutex_lock(&the_lock);
    sum += number;
    pthread_mutex_unlock(&the_lock);
    pthread_barrier_wait(&the_barrier);
  }
}

static void* worker(void* number) {
  worker_body((long)number);
  return 0;
}

static void* waiter(void* unused) {
  pthread_mutex_lock(&the_other_lock);
  is_waiting = 1;
  while (!is_set) pthread_cond_wait(&the_condition, &the_other_lock);
  pthread_mutex_unlock(&the_other_lock);
  return unused;
}

/// Once the sleeper waits, a try gets the lock.
static void wake(pthread_t sleeper) {
  for (int has_lock = 0; !has_lock;) {
    if (pthread_mutex_trylock(&the_other_lock) == 0) {
      has_lock = is_waiting;
      if (!has_lock) pthread_mutex_unlock(&the_other_lock);
    }
    if (!has_lock) sched_yield();
  }
  is_set = 1;
  pthread_mutex_unlock(&the_other_lock);
  pthread_cond_signal(&the_condition);
  pthread_join(sleeper, 0);
  pthread_cond_broadcast(&the_condition);
}

/// Returns whether all tries failed, as they must.
static int try_in_vain(void) {
  long failed = 0;
  for (long round = 0; round < rounds; ++round) {
    for (long step = 0; step < (round * 40503 >> 4) % 13; ++step) table[step] = 1;
    pthread_mutex_lock(&the_other_lock);
    failed += pthread_mutex_trylock(&the_other_lock) != 0;
    pthread_mutex_unlock(&the_other_lock);
  }
  return failed == rounds;
}

int main(int count, char** words) {
  const long threads = count > 1 ? atol(words[1]) : 2;
  rounds = count > 2 ? atol(words[2]) : 10;
  work = count > 3 ? atol(words[3]) : 0;
  pthread_t ids[64], sleeper;
  pthread_barrier_init(&the_barrier, 0, (unsigned)threads);
  for (long number = 0; number < threads; ++number) pthread_create(&ids[number], 0, worker, (void*)(number + 1));
  for (long number = 0; number < threads; ++number) pthread_join(ids[number], 0);
  pthread_create(&sleeper, 0, waiter, 0);
  wake(sleeper);
  return try_in_vain() && sum == rounds * threads * (threads + 1) / 2 ? 0 : 1;
}
