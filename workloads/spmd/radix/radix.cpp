// Radix sort of whole numbers after SPLASH-2's radix (Woo et al. 1995; Blelloch et al. 1991): one pass a digit, from
// the least significant. In a pass each thread counts the digits of its part of the keys, all together turn the counts
// into places, and each thread moves its keys there.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"

namespace {

constexpr int kKeyBits = 30;

struct Sort {
  Sort(std::vector<std::uint32_t> input, int digit_bits, int threads)
      : digit_bits(digit_bits),
        keys(std::move(input)),
        moved(keys.size()),
        places(threads, std::vector<int>(1 << digit_bits)),
        digit_totals(1 << digit_bits),
        barrier(threads) {}

  int digits() const { return 1 << digit_bits; }
  int passes() const { return (kKeyBits + digit_bits - 1) / digit_bits; }

  int digit_bits;
  std::vector<std::uint32_t> keys, moved;  // a pass moves from one to the other
  std::vector<std::vector<int>> places;    // [thread][digit]: how many keys, later where the next one goes
  std::vector<int> digit_totals;
  spmd::Barrier barrier;
};

// For the digits of its share, a thread turns the counts of all threads into sums over the threads before.
void sum_over_threads(Sort& sort, int thread, int threads) {
  const spmd::Range digits = spmd::share(sort.digits(), threads, thread);
  for (int digit = digits.begin; digit < digits.end; ++digit) {
    int total = 0;
    for (std::vector<int>& of_thread : sort.places) {
      const int count = of_thread[digit];
      of_thread[digit] = total;
      total += count;
    }
    sort.digit_totals[digit] = total;
  }
}

void sort_by_digit(Sort& sort, const std::uint32_t* from, std::uint32_t* to, int shift, int thread, int threads) {
  const spmd::Range range = spmd::share(static_cast<int>(sort.keys.size()), threads, thread);
  const std::uint32_t mask = static_cast<std::uint32_t>(sort.digits() - 1);
  int* places = sort.places[thread].data();
  std::fill_n(places, sort.digits(), 0);
  for (int i = range.begin; i < range.end; ++i) ++places[(from[i] >> shift) & mask];
  sort.barrier.wait();
  sum_over_threads(sort, thread, threads);
  sort.barrier.wait();
  int smaller = 0;  // keys with a smaller digit
  for (int digit = 0; digit < sort.digits(); ++digit) {
    places[digit] += smaller;
    smaller += sort.digit_totals[digit];
  }
  for (int i = range.begin; i < range.end; ++i) to[places[(from[i] >> shift) & mask]++] = from[i];
  sort.barrier.wait();
}

extern "C" [[gnu::noinline]] void* radix_worker(void* start) {
  const auto [sort, thread, threads] = *static_cast<spmd::Start<Sort>*>(start);
  std::uint32_t* from = sort->keys.data();
  std::uint32_t* to = sort->moved.data();
  for (int pass = 0; pass < sort->passes(); ++pass) {
    sort_by_digit(*sort, from, to, pass * sort->digit_bits, thread, threads);
    std::swap(from, to);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"KEYS", 4096, 1 << 20, 1, 1 << 28}, {"DIGIT_BITS", 6, 10, 1, 16}});
  spmd::Random random(1);
  std::vector<std::uint32_t> keys(command[0]);
  for (std::uint32_t& key : keys) key = random.below(1u << kKeyBits);

  Sort sort(keys, command[1], command.threads());
  spmd::run_threads(command.threads(), radix_worker, sort);

  const std::vector<std::uint32_t>& sorted = sort.passes() % 2 == 0 ? sort.keys : sort.moved;
  std::sort(keys.begin(), keys.end());
  spmd::Verdict verdict;
  for (std::size_t i = 0; i < keys.size(); ++i)
    verdict.require(sorted[i] == keys[i], "key %zu: got %u, expected %u", i, sorted[i], keys[i]);
  std::printf("radix: %zu keys, median %u\n", keys.size(), sorted[keys.size() / 2]);
  return verdict.conclude();
}
