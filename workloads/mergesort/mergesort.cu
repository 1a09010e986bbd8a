// Stable merge sort of keys with values: MGST of the spatio-temporal SIMT paper's Table II, the merge sort of NVIDIA's
// SDK after Satish, Harris and Garland 2009 ("Designing efficient sorting algorithms for manycore GPUs").
//
// Tiles are sorted in shared memory. Then two sorted runs at a time become one: every 128th key is a sample, of which
// it is found how many keys of the other run come before it; so both runs are cut at the samples of both into pieces of
// at most 128 keys, and a block merges what lies between two cuts.
//
// What the kernels cost is the SDK's: keys and values are in arrays of their own; a search goes by strides, which all
// lanes halve together, so that only what it finds differs from lane to lane; a thread finds its pair of runs by masks,
// as runs are powers of two; and one thread alone reads what its block is to merge and tells the others. The pieces
// differ in length.
#include <algorithm>
#include <utility>

#include "../common/check.h"

namespace {

constexpr unsigned kTile = 1024;   // keys that a block sorts in shared memory, two a thread
constexpr unsigned kSample = 128;  // keys from one sample to the next
constexpr unsigned kRankThreads = 256;

// Who comes from the left run counts the lesser keys of the right run, who comes from the right also the equal ones of
// the left: so equal keys keep their order.
enum class Count { kLess, kLessOrEqual };

template <Count kCount>
__device__ inline bool counts(unsigned other, unsigned key) {
  return kCount == Count::kLess ? other < key : other <= key;
}

// How many of the `count` sorted keys count for `key`. The stride is a power of two, not less than `count`.
template <Count kCount>
__device__ inline unsigned rank(unsigned key, const unsigned* sorted, unsigned count, unsigned stride) {
  if (count == 0) return 0;
  unsigned found = 0;
  for (; stride > 0; stride >>= 1) {
    const unsigned next = min(found + stride, count);
    if (counts<kCount>(sorted[next - 1], key)) found = next;
  }
  return found;
}

// The least power of two that is not less.
__device__ inline unsigned power_of_two(unsigned number) { return 1u << (32 - __clz(static_cast<int>(number - 1))); }

// Every block sorts a tile: runs of 1, 2, 4 and so on, a thread having one key of the left and one of the right run.
// The host says that there are kTile keys, as in the SDK.
__global__ void sort_tiles(unsigned* to_keys, unsigned* to_values, const unsigned* from_keys,
                           const unsigned* from_values, unsigned count) {
  __shared__ unsigned keys[kTile], values[kTile];
  const unsigned thread = threadIdx.x;
  const unsigned first = blockIdx.x * kTile + thread, second = first + kTile / 2;
  keys[thread] = from_keys[first];
  values[thread] = from_values[first];
  keys[thread + kTile / 2] = from_keys[second];
  values[thread + kTile / 2] = from_values[second];
  for (unsigned run = 1; run < count; run *= 2) {
    const unsigned place = thread & (run - 1);  // in its run
    unsigned* const pair_keys = keys + 2 * (thread - place);
    unsigned* const pair_values = values + 2 * (thread - place);
    __syncthreads();
    const unsigned left_key = pair_keys[place], left_value = pair_values[place];
    const unsigned right_key = pair_keys[place + run], right_value = pair_values[place + run];
    const unsigned left_place = rank<Count::kLess>(left_key, pair_keys + run, run, run) + place;
    const unsigned right_place = rank<Count::kLessOrEqual>(right_key, pair_keys, run, run) + place;
    __syncthreads();  // all have read
    pair_keys[left_place] = left_key;
    pair_values[left_place] = left_value;
    pair_keys[right_place] = right_key;
    pair_values[right_place] = right_value;
  }
  __syncthreads();
  to_keys[first] = keys[thread];
  to_values[first] = values[thread];
  to_keys[second] = keys[thread + kTile / 2];
  to_values[second] = values[thread + kTile / 2];
}

// Two neighbouring runs of sorted keys, which are to be merged. The last pair may have a shorter right run.
struct Pair {
  unsigned begin;        // of the left run, in keys
  unsigned left, right;  // keys
};

__device__ inline Pair pair_at(unsigned begin, unsigned run, unsigned count) {
  return {begin, run, min(run, count - begin - run)};
}

__device__ inline unsigned samples(unsigned keys) { return keys / kSample + (keys % kSample != 0 ? 1 : 0); }

// For each sample, how many keys of the left and how many of the right run come before it. A thread has one sample of a
// left run and one of the right run beside it. Of each pair, the left run's samples come first.
__global__ void rank_samples(unsigned* left_ranks, unsigned* right_ranks, const unsigned* keys, unsigned run,
                             unsigned count, unsigned threads) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= threads) return;
  const unsigned number = n & (run / kSample - 1);  // of the sample in its run
  const Pair pair = pair_at((n - number) * (2 * kSample), run, count);
  const unsigned* const left = keys + pair.begin;
  const unsigned* const right = left + run;
  left_ranks += pair.begin / kSample;
  right_ranks += pair.begin / kSample;
  const unsigned place = number * kSample;
  if (number < samples(pair.left)) {
    left_ranks[number] = place;
    right_ranks[number] = rank<Count::kLess>(left[place], right, pair.right, power_of_two(pair.right));
  }
  if (number < samples(pair.right)) {
    right_ranks[run / kSample + number] = place;
    left_ranks[run / kSample + number] =
        rank<Count::kLessOrEqual>(right[place], left, pair.left, power_of_two(pair.left));
  }
}

// Merges the ranks of each pair's left samples with those of its right samples: the limits at which the run is cut.
__global__ void merge_ranks(unsigned* limits, const unsigned* ranks, unsigned run, unsigned count, unsigned threads) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= threads) return;
  const unsigned number = n & (run / kSample - 1);
  const Pair pair = pair_at((n - number) * (2 * kSample), run, count);
  const unsigned lefts = samples(pair.left), rights = samples(pair.right);
  const unsigned* const left = ranks + (n - number) * 2;
  const unsigned* const right = left + lefts;
  limits += (n - number) * 2;
  if (number < lefts) {
    const unsigned place = rank<Count::kLess>(left[number], right, rights, power_of_two(rights)) + number;
    limits[place] = left[number];
  }
  if (number < rights) {
    const unsigned place = rank<Count::kLessOrEqual>(right[number], left, lefts, power_of_two(lefts)) + number;
    limits[place] = right[number];
  }
}

// What lies between two limits: where it begins in its runs and how long it is, and where its halves go to.
struct Piece {
  unsigned left_begin, right_begin;
  unsigned left, right;  // keys
  unsigned left_target, right_target;
};

__device__ inline void find_piece(Piece& piece, const unsigned* left_limits, const unsigned* right_limits,
                                  unsigned number, const Pair& pair) {
  piece.left_begin = left_limits[blockIdx.x];
  piece.right_begin = right_limits[blockIdx.x];
  unsigned left_end = pair.left, right_end = pair.right;
  if (number + 1 < samples(pair.left) + samples(pair.right)) {
    left_end = left_limits[blockIdx.x + 1];
    right_end = right_limits[blockIdx.x + 1];
  }
  piece.left = left_end - piece.left_begin;
  piece.right = right_end - piece.right_begin;
  piece.left_target = piece.left_begin + piece.right_begin;
  piece.right_target = piece.left_target + piece.left;
}

// Merges the first `left` keys with the `right` ones that begin at kSample, a thread having one of each.
__device__ inline void merge_in_place(unsigned* keys, unsigned* values, unsigned left, unsigned right) {
  const unsigned thread = threadIdx.x;
  unsigned left_key, left_value, left_place, right_key, right_value, right_place;
  if (thread < left) {
    left_key = keys[thread];
    left_value = values[thread];
    left_place = rank<Count::kLess>(left_key, keys + kSample, right, kSample) + thread;
  }
  if (thread < right) {
    right_key = keys[kSample + thread];
    right_value = values[kSample + thread];
    right_place = rank<Count::kLessOrEqual>(right_key, keys, left, kSample) + thread;
  }
  __syncthreads();  // all have read
  if (thread < left) {
    keys[left_place] = left_key;
    values[left_place] = left_value;
  }
  if (thread < right) {
    keys[right_place] = right_key;
    values[right_place] = right_value;
  }
}

// Every block merges one piece of a pair: the keys of both runs from a limit to the next.
__global__ void merge_pieces(unsigned* to_keys, unsigned* to_values, const unsigned* from_keys,
                             const unsigned* from_values, const unsigned* left_limits, const unsigned* right_limits,
                             unsigned run, unsigned count) {
  __shared__ unsigned keys[2 * kSample], values[2 * kSample];
  __shared__ Piece piece;
  const unsigned thread = threadIdx.x;
  const unsigned number = blockIdx.x & (2 * run / kSample - 1);  // of the piece in its pair
  const unsigned begin = (blockIdx.x - number) * kSample;
  from_keys += begin;
  from_values += begin;
  to_keys += begin;
  to_values += begin;
  if (thread == 0) find_piece(piece, left_limits, right_limits, number, pair_at(begin, run, count));
  __syncthreads();

  if (thread < piece.left) {
    keys[thread] = from_keys[piece.left_begin + thread];
    values[thread] = from_values[piece.left_begin + thread];
  }
  if (thread < piece.right) {
    keys[kSample + thread] = from_keys[run + piece.right_begin + thread];
    values[kSample + thread] = from_values[run + piece.right_begin + thread];
  }
  __syncthreads();
  merge_in_place(keys, values, piece.left, piece.right);
  __syncthreads();
  if (thread < piece.left) {
    to_keys[piece.left_target + thread] = keys[thread];
    to_values[piece.left_target + thread] = values[thread];
  }
  if (thread < piece.right) {
    to_keys[piece.right_target + thread] = keys[piece.left + thread];
    to_values[piece.right_target + thread] = values[piece.left + thread];
  }
}

struct Items {
  std::vector<unsigned> keys, values;
};

struct DeviceItems {
  explicit DeviceItems(std::size_t count) : keys(count), values(count) {}
  explicit DeviceItems(const Items& host) : keys(host.keys), values(host.values) {}
  workload::DeviceArray<unsigned> keys, values;
};

struct Cuts {
  explicit Cuts(std::size_t samples)
      : left_ranks(samples), right_ranks(samples), left_limits(samples), right_limits(samples) {}
  workload::DeviceArray<unsigned> left_ranks, right_ranks, left_limits, right_limits;
};

void copy_items(const workload::DeviceArray<unsigned>& from, const workload::DeviceArray<unsigned>& to, unsigned first,
                unsigned count) {
  CUDA_CHECK(cudaMemcpy(to.get() + first, from.get() + first, count * sizeof(unsigned), cudaMemcpyDeviceToDevice));
}

// Runs of `run` keys become runs of twice as many. A last one without another beside it is copied.
void merge_runs(const DeviceItems& from, const DeviceItems& to, const Cuts& cuts, unsigned run, unsigned count) {
  const unsigned rest = count % (2 * run), alone = rest <= run ? rest : 0, merged = count - alone;
  const unsigned pairs = (merged + 2 * run - 1) / (2 * run), threads = pairs * (run / kSample);
  const unsigned blocks = (threads + kRankThreads - 1) / kRankThreads;
  rank_samples<<<blocks, kRankThreads>>>(cuts.left_ranks.get(), cuts.right_ranks.get(), from.keys.get(), run, count,
                                         threads);
  merge_ranks<<<blocks, kRankThreads>>>(cuts.left_limits.get(), cuts.left_ranks.get(), run, count, threads);
  merge_ranks<<<blocks, kRankThreads>>>(cuts.right_limits.get(), cuts.right_ranks.get(), run, count, threads);
  merge_pieces<<<merged / kSample, kSample>>>(to.keys.get(), to.values.get(), from.keys.get(), from.values.get(),
                                              cuts.left_limits.get(), cuts.right_limits.get(), run, count);
  CUDA_CHECK(cudaGetLastError());
  copy_items(from.keys, to.keys, merged, alone);
  copy_items(from.values, to.values, merged, alone);
}

Items device_sorted(const Items& input) {
  const unsigned count = static_cast<unsigned>(input.keys.size());
  const DeviceItems source(input), first(count), second(count);
  const Cuts cuts(count / kSample);
  const DeviceItems *from = &first, *to = &second;
  sort_tiles<<<count / kTile, kTile / 2>>>(from->keys.get(), from->values.get(), source.keys.get(), source.values.get(),
                                           kTile);
  CUDA_CHECK(cudaGetLastError());
  for (unsigned run = kTile; run < count; run *= 2) {
    merge_runs(*from, *to, cuts, run, count);
    std::swap(from, to);
  }
  return {from->keys.download(), from->values.download()};
}

// Each key about four times; a value tells where an item was.
Items make_items(unsigned count) {
  workload::Random random(17);
  Items items;
  for (unsigned i = 0; i < count; ++i) {
    items.keys.push_back(random.below(count / 4));
    items.values.push_back(i);
  }
  return items;
}

Items host_sorted(const Items& input) {
  std::vector<unsigned> order = input.values;
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return input.keys[a] < input.keys[b]; });
  Items sorted;
  for (const unsigned i : order) {
    sorted.keys.push_back(input.keys[i]);
    sorted.values.push_back(input.values[i]);
  }
  return sorted;
}

}  // namespace

int main(int argc, char** argv) {
  int tiles = 256;
  workload::Options("mergesort", "stable merge sort of keys with values, checked exactly")
      .number("--size", tiles, 1, 16384, "keys in tiles of 1024")
      .parse(argc, argv);

  const Items items = make_items(static_cast<unsigned>(tiles) * kTile);
  const Items got = device_sorted(items), expected = host_sorted(items);
  workload::expect_equal("keys", got.keys, expected.keys);
  workload::expect_equal("values", got.values, expected.values);
  return workload::pass();
}
