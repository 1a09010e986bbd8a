// A spin lock for which threads of one warp contend, in three forms that differ in where the lock is released. What a
// divergence mechanism does with lanes that wait for a lane of their own warp decides whether the kernel ends.
#include <algorithm>

#include "../common/check.h"

namespace {

struct Shared {
  int lock;     // 1: held
  int abandon;  // never set
  unsigned counter;
};

// What the lock protects: without it, threads would read the same number.
__device__ inline unsigned take_number(Shared* shared) {
  volatile unsigned* const counter = &shared->counter;
  const unsigned number = *counter;
  *counter = number + 1;
  return number;
}

__device__ inline void release(Shared* shared) {
  __threadfence();
  atomicExch(&shared->lock, 0);
}

// Behind the loop, as on a CPU. The loop's only exit is also where lanes that have left it wait for the others.
__device__ inline unsigned number_behind(Shared* shared) {
  while (atomicCAS(&shared->lock, 0, 1) != 0) {
  }
  const unsigned number = take_number(shared);
  release(shared);
  return number;
}

// On the way out of a loop that has another exit: the lanes meet behind both, after the release.
__device__ inline unsigned number_exit(Shared* shared) {
  const volatile int* const abandon = &shared->abandon;
  unsigned number = ~0u;
  do {
    if (atomicCAS(&shared->lock, 0, 1) == 0) {
      number = take_number(shared);
      release(shared);
      break;
    }
  } while (*abandon == 0);
  return number;
}

// Inside the loop: lanes that have the lock and lanes that do not meet in every turn, after the release.
__device__ inline unsigned number_inside(Shared* shared) {
  unsigned number = ~0u;
  for (int done = 0; done == 0;) {
    if (atomicCAS(&shared->lock, 0, 1) == 0) {
      number = take_number(shared);
      release(shared);
      done = 1;
    }
    asm volatile(""
                 : "+r"(done));  // else the compiler finds out that the branch above decides, and moves the exit there
  }
  return number;
}

enum class Form { behind, exit, inside };

template <Form form>
__global__ void draw_numbers(Shared* shared, unsigned* numbers, int rounds) {
  unsigned* const mine = numbers + (blockIdx.x * blockDim.x + threadIdx.x) * rounds;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    mine[round] = form == Form::behind ? number_behind(shared)
                  : form == Form::exit ? number_exit(shared)
                                       : number_inside(shared);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 64, blocks = 4, rounds = 4;
  std::string form = "inside";
  workload::Options("spin_lock", "numbers drawn one by one under a spin lock, checked exactly")
      .number("--threads", threads, 1, 1024, "threads of a block")
      .number("--blocks", blocks, 1, 1024, "blocks")
      .number("--rounds", rounds, 1, 1000, "numbers that each thread draws")
      .text("--release", form,
            "where the lock is released: inside the loop, on the way to one of its exits, or behind it")
      .parse(argc, argv);
  const auto kernel = form == "behind"   ? draw_numbers<Form::behind>
                      : form == "exit"   ? draw_numbers<Form::exit>
                      : form == "inside" ? draw_numbers<Form::inside>
                                         : nullptr;
  if (kernel == nullptr) {
    std::fprintf(stderr, "spin_lock: --release takes behind, exit or inside, not '%s'\n", form.c_str());
    return 2;
  }

  const workload::DeviceArray<Shared> shared(std::vector<Shared>{{0, 0, 0}});
  const workload::DeviceArray<unsigned> numbers(static_cast<std::size_t>(blocks) * threads * rounds);
  kernel<<<blocks, threads>>>(shared.get(), numbers.get(), rounds);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  std::vector<unsigned> drawn = numbers.download(), expected(drawn.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<unsigned>(i);
  std::sort(drawn.begin(), drawn.end());
  workload::expect_equal("numbers", drawn, expected);
  return workload::pass();
}
