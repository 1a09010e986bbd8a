// A thread takes locks that it has: a recursive one by each function that can, and one that checks for it, in vain.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

pthread_mutex_t the_recursive_lock, the_checked_lock;

static void init(pthread_mutex_t* lock, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(lock, &attributes);
}

/// Returns whether each got it.
static int take_again(pthread_mutex_t* lock) {
  const struct timespec far = {1L << 40, 0};
  return pthread_mutex_lock(lock) == 0 && pthread_mutex_trylock(lock) == 0 &&
         pthread_mutex_timedlock(lock, &far) == 0 && pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &far) == 0;
}

int main(void) {
  init(&the_recursive_lock, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_lock(&the_recursive_lock);
  const int has_taken = take_again(&the_recursive_lock);
  for (int times = 0; times < 5; ++times) pthread_mutex_unlock(&the_recursive_lock);
  init(&the_checked_lock, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_lock(&the_checked_lock);
  const int has_failed = pthread_mutex_lock(&the_checked_lock) == EDEADLK;
  pthread_mutex_unlock(&the_checked_lock);
  return has_taken && has_failed ? 0 : 1;
}
