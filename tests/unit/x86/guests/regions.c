// OpenMP: two regions, each with a barrier; a critical section and a lock.
#include <omp.h>
#include <stdlib.h>

omp_lock_t the_lock;
static long sum, total;

int main(int count, char** words) {
  const int threads = count > 1 ? atoi(words[1]) : 3;
  omp_init_lock(&the_lock);
  for (int turn = 0; turn < 2; ++turn) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp critical
      sum += omp_get_thread_num() + 1;
#pragma omp barrier
      omp_set_lock(&the_lock);
      total += sum;
      omp_unset_lock(&the_lock);
    }
  }
  const long of_one = (long)threads * (threads + 1) / 2;
  return sum == 2 * of_one && total == threads * (of_one + 2 * of_one) ? 0 : 1;
}
