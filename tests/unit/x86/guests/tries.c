// Threads that need two locks, each pair in its own order: the second is tried, and the first given back where it is
// taken, as std::lock and std::scoped_lock do.
#include <pthread.h>

enum { kThreads = 4, kRounds = 25 };
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long sum;

static void take_both(int first) {
  for (;;) {
    pthread_mutex_lock(&locks[first]);
    if (pthread_mutex_trylock(&locks[1 - first]) == 0) return;
    pthread_mutex_unlock(&locks[first]);
    first = 1 - first;
  }
}

static void* work(void* which) {
  for (int round = 0; round < kRounds; ++round) {
    take_both((long)which % 2);
    ++sum;
    pthread_mutex_unlock(&locks[0]);
    pthread_mutex_unlock(&locks[1]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return sum == kThreads * kRounds ? 0 : 1;
}
