// Three threads that wait for a lock are joined in three ways, each of which fails before they may end and then succeeds.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec past = {1, 0}, future = {1L << 40, 0};

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t ids[3];
  pthread_mutex_lock(&lock);
  for (int number = 0; number < 3; ++number) pthread_create(&ids[number], 0, worker, 0);
  if (pthread_tryjoin_np(ids[0], 0) != EBUSY || pthread_timedjoin_np(ids[1], 0, &past) != ETIMEDOUT ||
      pthread_clockjoin_np(ids[2], 0, CLOCK_MONOTONIC, &past) != ETIMEDOUT)
    return 1;
  pthread_mutex_unlock(&lock);
  while (pthread_tryjoin_np(ids[0], 0) == EBUSY) continue;
  if (pthread_timedjoin_np(ids[1], 0, &future) != 0) return 2;
  return pthread_clockjoin_np(ids[2], 0, CLOCK_MONOTONIC, &future) == 0 ? 0 : 3;
}
