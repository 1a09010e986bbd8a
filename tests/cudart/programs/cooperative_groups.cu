// Cooperative groups: every thread writes what its groups say, and the host computes what that should be. Prints one
// line per failure, PASS at the end.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

static int failures = 0;

/// Launches one block of `threads`, each of which writes `Fields` numbers, and compares them with `expected(thread)`.
template <int Fields, class Expected>
static void check(const char* name, void (*kernel)(int*), dim3 threads, Expected expected) {
  const unsigned count = threads.x * threads.y * threads.z;
  std::vector<int> host(count * Fields);
  int* device;
  cudaMalloc(&device, host.size() * sizeof(int));
  kernel<<<1, threads>>>(device);
  if (cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) ++failures;
  for (int thread = 0; thread < int(count); ++thread) {
    const std::vector<int> right = expected(thread);
    for (int field = 0; field < Fields; ++field)
      if (host[thread * Fields + field] != right[field]) {
        std::printf("%s: thread %d, number %d: %d, should be %d\n", name, thread, field, host[thread * Fields + field],
                    right[field]);
        ++failures;
      }
  }
  cudaFree(device);
}

static int sum_over(int first, int end, int (*value)(int)) {
  int sum = 0;
  for (int i = first; i < end; ++i) sum += value(i);
  return sum;
}
static __host__ __device__ int sample(int thread) { return thread * 37 % 101 - 20; }

/* Blocks, and the functions that take any group. */

__device__ int sum_in_shared(cg::thread_group group, int* scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  scratch[rank] = value;
  cg::sync(group);
  return scratch[0];
}

__global__ void any_group(int* out) {
  __shared__ int scratch[128];
  const cg::thread_block block = cg::this_thread_block();
  const int rank = block.thread_rank(), value = sample(rank);
  out[rank * 4] = sum_in_shared(block, scratch, value);
  block.sync();
  out[rank * 4 + 1] = sum_in_shared(cg::tiled_partition<16>(block), scratch + rank / 16 * 16, value);
  block.sync();
  const cg::thread_group quarter = cg::tiled_partition(block, 8);
  out[rank * 4 + 2] = sum_in_shared(quarter, scratch + rank / 8 * 8, value);
  block.sync();
  out[rank * 4 + 3] = sum_in_shared(cg::tiled_partition(quarter, 2), scratch + rank / 2 * 2, value);
}

static void groups_of_any_kind() {
  check<4>("any_group", any_group, 128, [](int thread) {
    const auto sum = [&](int size) { return sum_over(thread / size * size, thread / size * size + size, sample); };
    return std::vector<int>{sum(128), sum(16), sum(8), sum(2)};
  });
}

__global__ void indices(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const dim3 index = block.thread_index(), dim = block.group_dim();
  const int rank = block.thread_rank();
  const int numbers[] = {rank,
                         int(block.size()),
                         int(index.x),
                         int(index.y),
                         int(index.z),
                         int(dim.x * 100 + dim.y * 10 + dim.z),
                         int(block.group_index().x),
                         int(cg::thread_rank(cg::this_grid()))};
  cg::sync(block);
  for (int i = 0; i < 8; ++i) out[rank * 8 + i] = numbers[i];
}

static void indices_of_a_block() {
  check<8>("indices", indices, dim3(4, 3, 5), [](int thread) {
    return std::vector<int>{thread, 60, thread % 4, thread / 4 % 3, thread / 12, 435, 0, thread};
  });
}

/* Tiles. */

struct Triple {
  int a;
  short b;
  char c;
  float d;
};

__global__ void shuffles(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int thread = threadIdx.x, value = sample(thread);
  out += thread * 8;
  out[0] = tile.shfl(value, 3);
  out[1] = tile.shfl_up(value, 2);
  out[2] = tile.shfl_down(value, 3);
  out[3] = tile.shfl_xor(value, 5);
  out[4] = int(tile.shfl(value * 0.5, 1) * 2);
  const Triple triple = tile.shfl_xor(Triple{value, short(value + 1), char(thread), value + 2.0f}, 1);
  out[5] = triple.a + triple.b + int(triple.d);
  out[6] = triple.c;
  out[7] = int(tile.shfl_down((long long)value << 32, 1) >> 32);
}

static void shuffles_of_a_tile() {
  check<8>("shuffles", shuffles, 64, [](int thread) {
    const int first = thread / 8 * 8, rank = thread % 8;
    const auto value = [&](int of) { return sample(first + of); };
    return std::vector<int>{value(3),
                            value(rank < 2 ? rank : rank - 2),
                            value(rank + 3 < 8 ? rank + 3 : rank),
                            value(rank ^ 5),
                            value(1),
                            value(rank ^ 1) * 3 + 3,
                            thread ^ 1,
                            value(rank < 7 ? rank + 1 : rank)};
  });
}

__global__ void votes(int* out) {
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto tile = cg::tiled_partition<4>(warp);
  const int thread = threadIdx.x;
  out += thread * 9;
  out[0] = tile.any(thread % 8 == 5);
  out[1] = tile.all(thread % 16 > 3);
  out[2] = tile.ballot(thread % 3 == 0);
  out[3] = tile.match_any(thread / 2 % 2);
  int all = -1;
  out[4] = tile.match_all(thread / 8, all);
  out[5] = all;
  out[6] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  out[7] = warp.meta_group_rank() * 100 + warp.meta_group_size();
  out[8] = tile.thread_rank() * 100 + tile.size();
}

static void votes_of_a_tile() {
  check<9>("votes", votes, 96, [](int thread) {
    const int first = thread / 4 * 4;
    int ballot = 0;
    for (int rank = 0; rank < 4; ++rank) ballot |= ((first + rank) % 3 == 0) << rank;
    return std::vector<int>{
        first % 8 == 4,        first % 16 != 0,     ballot, thread % 4 < 2 ? 3 : 12, 15, 1, thread % 32 / 4 * 100 + 8,
        thread / 32 * 100 + 3, thread % 4 * 100 + 4};
  });
}

__global__ void tile_reductions(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = sample(threadIdx.x);
  out += threadIdx.x * 7;
  out[0] = cg::reduce(tile, value, cg::plus<int>());
  out[1] = cg::reduce(tile, value, cg::less<int>());
  out[2] = cg::reduce(tile, value, cg::greater<int>());
  out[3] = cg::reduce(tile, value, cg::bit_and<int>());
  out[4] = cg::reduce(tile, value, cg::bit_or<int>());
  out[5] = cg::reduce(tile, value, cg::bit_xor<int>());
  out[6] = int(cg::reduce(tile, value * 0.25f, cg::plus<float>()) * 4);
}

/// What the operators make of sample(thread) over `members`.
static std::vector<int> reduced(const std::vector<int>& members) {
  const int first = sample(members[0]);
  std::vector<int> all{0, first, first, first, 0, 0};
  for (const int thread : members) {
    const int value = sample(thread);
    all = {all[0] + value, std::min(all[1], value), std::max(all[2], value),
           all[3] & value, all[4] | value,          all[5] ^ value};
  }
  return all;
}

static void reductions_of_a_tile() {
  check<7>("tile_reductions", tile_reductions, 64, [](int thread) {
    std::vector<int> members(16);
    for (int rank = 0; rank < 16; ++rank) members[rank] = thread / 16 * 16 + rank;
    std::vector<int> right = reduced(members);
    right.push_back(right[0]);
    return right;
  });
}

/* Coalesced groups: of each warp the lanes whose number is divisible by three. */

__device__ int counter;

__global__ void coalesced(int* out) {
  const int thread = threadIdx.x, value = sample(thread);
  out += thread * 14;
  for (int i = 0; i < 14; ++i) out[i] = -1;
  if (thread % 32 % 3 != 0) return;
  const cg::coalesced_group group = cg::coalesced_threads();
  group.sync();
  out[0] = group.thread_rank() * 100 + group.size();
  out[1] = group.shfl(value, 4);
  out[2] = group.shfl_up(value, 2);
  out[3] = group.shfl_down(value, 2);
  out[4] = group.any(thread % 32 == 9) * 10 + group.all(thread % 32 < 30);
  out[5] = group.ballot(thread % 2);
  out[6] = cg::reduce(group, value, cg::plus<int>());
  out[7] = cg::reduce(group, value, cg::less<int>());
  out[8] = cg::reduce(group, value, cg::greater<int>());
  out[9] = cg::reduce(group, value, cg::bit_and<int>());
  out[10] = cg::reduce(group, value, cg::bit_or<int>());
  out[11] = cg::reduce(group, value, cg::bit_xor<int>());
  const cg::coalesced_group four = cg::tiled_partition(group, 4);
  out[12] = four.thread_rank() * 10000 + four.size() * 1000 + four.meta_group_rank() * 10 + four.meta_group_size();
  int first = 0; /* one atomic for the whole group */
  if (group.thread_rank() == 0) first = atomicAdd(&counter, int(group.size()));
  out[13] = (group.shfl(first, 0) + group.thread_rank()) % 11;
}

static void coalesced_groups() {
  check<14>("coalesced", coalesced, 64, [](int thread) {
    if (thread % 32 % 3 != 0) return std::vector<int>(14, -1);
    std::vector<int> members; /* 0 3 … 30: eleven */
    for (int lane = 0; lane < 32; lane += 3) members.push_back(thread / 32 * 32 + lane);
    const int rank = thread % 32 / 3;
    int ballot = 0;
    for (int i = 0; i < 11; ++i) ballot |= members[i] % 2 << i;
    std::vector<int> right{rank * 100 + 11,
                           sample(members[4]),
                           sample(members[rank < 2 ? rank : rank - 2]),
                           sample(members[rank < 9 ? rank + 2 : rank]),
                           10,
                           ballot};
    for (const int value : reduced(members)) right.push_back(value);
    right.push_back(rank % 4 * 10000 + (rank < 8 ? 4 : 3) * 1000 + rank / 4 * 10 + 3);
    right.push_back(rank); /* the counter grows by eleven a warp */
    return right;
  });
}

__global__ void partitions(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int thread = threadIdx.x;
  const cg::coalesced_group label = cg::labeled_partition(tile, thread % 16 * 7 % 3);
  const cg::coalesced_group odd = cg::binary_partition(tile, thread % 2);
  out[thread * 3] =
      label.thread_rank() * 1000 + label.size() * 100 + label.meta_group_rank() * 10 + label.meta_group_size();
  out[thread * 3 + 1] = odd.thread_rank() * 100 + odd.size();
  out[thread * 3 + 2] = cg::reduce(odd, sample(thread), cg::plus<int>());
}

static void partitions_by_label() {
  check<3>("partitions", partitions, 32, [](int thread) {
    const int rank = thread % 16, first = thread / 16 * 16;
    int before = 0, alike = 0, sum = 0;
    for (int other = 0; other < 16; ++other) {
      const bool same = other * 7 % 3 == rank * 7 % 3;
      alike += same;
      before += same && other < rank;
      if (other % 2 == rank % 2) sum += sample(first + other);
    }
    return std::vector<int>{before * 1000 + alike * 100 + rank % 3 * 10 + 3, rank / 2 * 100 + 8, sum};
  });
}

int main() {
  groups_of_any_kind();
  indices_of_a_block();
  shuffles_of_a_tile();
  votes_of_a_tile();
  reductions_of_a_tile();
  coalesced_groups();
  partitions_by_label();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
