// WORKERS ROUNDS: in each round as many threads are created, and joined.
#include <pthread.h>
#include <stdlib.h>

static volatile long sums[64];

__attribute__((noinline)) void* worker(void* number) {
  for (long step = 0; step < 50; ++step) sums[(long)number] += step;
  return 0;
}

int main(int count, char** words) {
  const long workers = count > 1 ? atol(words[1]) : 2, rounds = count > 2 ? atol(words[2]) : 2;
  pthread_t ids[64];
  for (long round = 0; round < rounds; ++round) {
    for (long number = 0; number < workers; ++number) pthread_create(&ids[number], 0, worker, (void*)number);
    for (long number = 0; number < workers; ++number) pthread_join(ids[number], 0);
  }
  return sums[0] == rounds * 50 * 49 / 2 ? 0 : 1;
}
