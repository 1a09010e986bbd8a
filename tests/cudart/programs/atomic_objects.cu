// cuda::atomic and cuda::atomic_ref of every size, and latches and semaphores, in device and host code, as NVIDIA's
// libcu++ has them. Prints a line for each expectation that does not hold, PASS at the end.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <thread>
#include <vector>

#include "expect.h"

constexpr unsigned kThreads = 256;

struct Pair {
  short low, high;
};

struct Objects {
  cuda::atomic<int, cuda::thread_scope_device> sum{0};
  cuda::atomic<unsigned, cuda::thread_scope_block> bits{0};
  cuda::atomic<long long> low{1000};
  cuda::atomic<unsigned long long, cuda::thread_scope_device> high{0};
  cuda::atomic<float, cuda::thread_scope_device> real{0.0f};
  cuda::atomic<double> wide{0.0};
  cuda::atomic<unsigned char> byte{0};
  cuda::atomic<short> half{0};
  cuda::atomic<Pair> pair{Pair{0, 0}};
  cuda::atomic<int*> pointer{nullptr};
  cuda::std::atomic<unsigned> odd{0xffffffffu};
  cuda::atomic<float> least{1e9f};
};

__global__ void compute(Objects* o) {
  const unsigned t = threadIdx.x;
  o->sum.fetch_add(static_cast<int>(t), cuda::memory_order_relaxed);
  o->bits |= 1u << t % 32;
  o->low.fetch_min(static_cast<long long>(t) - 5, cuda::memory_order_acquire);
  o->high.fetch_max(t * 10000000000ull, cuda::memory_order_release);
  o->real += 0.5f;
  o->wide -= 0.25;
  ++o->byte;
  o->half.fetch_sub(3);
  Pair seen = o->pair;
  while (!o->pair.compare_exchange_weak(seen, Pair{short(seen.low + 1), short(seen.high - 1)})) continue;
  o->pointer++;
  o->odd ^= 1u << t % 2;
  o->least.fetch_min(100.0f - t);
}

/// The last block to come adds up what all have written.
__global__ void last_block_sums(unsigned* parts, cuda::atomic<unsigned, cuda::thread_scope_device>* arrived,
                                unsigned* sum) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x * blockIdx.x;
    is_last = arrived->fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) atomicAdd(sum, cuda::atomic_ref<unsigned>(parts[threadIdx.x]).load());
}

/// A word is handed over by a flag.
__global__ void hand_over(int* data, cuda::atomic<bool, cuda::thread_scope_device>* ready, int* got) {
  if (blockIdx.x == 0) {
    *data = 42;
    ready->store(true, cuda::memory_order_release);
    ready->notify_all();
  } else {
    ready->wait(false, cuda::memory_order_acquire);
    *got = *data;
  }
}

/// References to elements of an ordinary array, exchanged and compared in both halves of a word.
__global__ void refer(unsigned short* words, int* exchanged) {
  cuda::atomic_ref<unsigned short, cuda::thread_scope_block> word(words[threadIdx.x % 4]);
  word.fetch_add(threadIdx.x % 4);
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned short expected = 7;
  *exchanged = cuda::atomic_ref<unsigned short>(words[1]).compare_exchange_strong(expected, 9) ? -1 : expected;
  cuda::atomic_ref<unsigned short>(words[2]).exchange(5);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

/// Block 0 goes on when all others have counted down; two of them at a time are where a semaphore lets them.
__global__ void take_turns(cuda::latch<cuda::thread_scope_device>* done,
                           cuda::counting_semaphore<cuda::thread_scope_device, 2>* places, int* inside, int* most,
                           int* seen) {
  if (blockIdx.x == 0) {
    done->wait();
    *seen = cuda::atomic_ref<int, cuda::thread_scope_device>(most[1]).load();
    return;
  }
  places->acquire();
  const int now = atomicAdd(inside, 1) + 1;
  atomicMax(most, now);
  atomicSub(inside, 1);
  places->release();
  atomicAdd(&most[1], 1);
  done->count_down();
}

/// Of all threads one finds the flag clear.
__global__ void raise(cuda::std::atomic_flag* flag, int* first) {
  if (!flag->test_and_set(cuda::std::memory_order_acq_rel)) atomicAdd(first, 1);
}

static void check_flag() {
  int* words;
  EXPECT(cudaMallocManaged(&words, 16) == cudaSuccess);
  words[1] = 0;
  auto* flag = new (words) cuda::std::atomic_flag;
  raise<<<2, 64>>>(flag, words + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && words[1] == 1 && flag->test());
  flag->clear();
  EXPECT(!flag->test_and_set() && flag->test_and_set());
}

static void check_device() {
  Objects* o;
  EXPECT(cudaMallocManaged(&o, sizeof *o) == cudaSuccess);
  new (o) Objects;
  compute<<<1, kThreads>>>(o);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(o->sum == 255 * 128 && o->bits == 0xffffffffu && o->low == -5 && o->high == 2550000000000ull);
  EXPECT(o->real == 128.0f && o->wide == -64.0 && o->byte == 0 && o->half == -768);
  EXPECT(o->pair.load().low == 256 && o->pair.load().high == -256);
  EXPECT(reinterpret_cast<size_t>(o->pointer.load()) == 4 * kThreads);
  EXPECT(o->odd == 0xffffffffu && o->least == -155.0f);
}

static void check_order() {
  unsigned* words;
  EXPECT(cudaMallocManaged(&words, 256) == cudaSuccess);
  auto* arrived = new (words + 32) cuda::atomic<unsigned, cuda::thread_scope_device>(0);
  words[40] = 0;
  last_block_sums<<<20, 32>>>(words, arrived, words + 40);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && words[40] == 2470);
  auto* ready = new (words + 50) cuda::atomic<bool, cuda::thread_scope_device>(false);
  hand_over<<<2, 1>>>(reinterpret_cast<int*>(words), ready, reinterpret_cast<int*>(words + 51));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && words[51] == 42);
}

static void check_references() {
  unsigned short* halves;
  EXPECT(cudaMallocManaged(&halves, 16) == cudaSuccess);
  for (int i = 0; i < 4; ++i) halves[i] = 0;
  refer<<<1, 64>>>(halves, reinterpret_cast<int*>(halves + 4));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(halves[0] == 0 && halves[1] == 16 && halves[2] == 5 && halves[3] == 48);
  EXPECT(*reinterpret_cast<int*>(halves + 4) == 16);
}

static void check_turns() {
  using Latch = cuda::latch<cuda::thread_scope_device>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
  int* words;
  EXPECT(cudaMallocManaged(&words, 128) == cudaSuccess);
  for (int i = 0; i < 8; ++i) words[i] = 0;
  take_turns<<<9, 1>>>(new (words + 8) Latch(8), new (words + 16) Semaphore(2), words, words + 1, words + 4);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(words[0] == 0 && words[1] >= 1 && words[1] <= 2 && words[2] == 8 && words[4] == 8);
}

static void check_host() {
  cuda::atomic<int> sum(0);
  int plain = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) sum += 2;
      cuda::atomic_ref<int>(plain).fetch_max(i + 3);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT(sum == 8000 && sum.exchange(1) == 8000 && sum-- == 1 && sum.is_lock_free());
  EXPECT(plain >= 3 && plain <= 7);
  int expected = 5;
  EXPECT(!sum.compare_exchange_strong(expected, 8) && expected == 0);
  EXPECT(sum.compare_exchange_strong(expected, 8, cuda::memory_order_acq_rel) && (sum = 3) == 3 && sum == 3);
  cuda::binary_semaphore<cuda::thread_scope_system> one(1);
  EXPECT(one.try_acquire() && !one.try_acquire());
  cuda::latch<cuda::thread_scope_system> two(2);
  two.count_down();
  EXPECT(!two.try_wait());
  two.arrive_and_wait();
  EXPECT(two.try_wait());
}

int main() {
  check_device();
  check_order();
  check_references();
  check_turns();
  check_flag();
  check_host();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
