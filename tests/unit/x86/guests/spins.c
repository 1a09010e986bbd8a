// MICROSECONDS: so long one thread waits for the other by reading a flag, and then by trying to take a lock.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int has_begun, is_ready, is_locked = 1;

__attribute__((noinline)) void wait_for_flag(void) {
  while (!is_ready) __builtin_ia32_pause();
}

__attribute__((noinline)) void take_lock(void) {
  while (__atomic_exchange_n(&is_locked, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void* waiter(void* unused) {
  has_begun = 1;
  wait_for_flag();
  take_lock();
  return unused;
}

int main(int count, char** words) {
  const unsigned pause = count > 1 ? (unsigned)atoi(words[1]) : 1000;
  pthread_t thread;
  if (pthread_create(&thread, 0, waiter, 0)) return 1;
  while (!has_begun) usleep(100);
  usleep(pause);
  is_ready = 1;
  usleep(pause);
  is_locked = 0;
  return pthread_join(thread, 0) == 0 && is_locked ? 0 : 1;
}
