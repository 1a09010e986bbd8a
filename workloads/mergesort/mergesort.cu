// Stable merge sort of keys with values: MGST of the spatio-temporal SIMT paper's Table II, the merge sort of NVIDIA's
// SDK after Satish, Harris and Garland 2009 ("Designing efficient sorting algorithms for manycore GPUs").
//
// Tiles are sorted in shared memory. Then two sorted runs at a time become one: every 128th key is a sample, of which
// it is found how many keys of the other run come before it; so both runs are cut at the samples of both into pieces of
// at most 128 keys, and a block merges what lies between two cuts.
//
// Searches by halving take as many steps for all lanes, or one more; the pieces differ in length.
#include <algorithm>
#include <utility>

#include "../common/check.h"

namespace {

constexpr int kTile = 1024;   // keys that a block sorts in shared memory, two a thread
constexpr int kSample = 128;  // keys from one sample to the next
constexpr int kRankThreads = 256;

struct Item {
  unsigned key, value;
};

__device__ inline unsigned key_of(const Item& item) { return item.key; }
__device__ inline unsigned key_of(int rank) { return static_cast<unsigned>(rank); }

// How many of the `count` sorted elements are less than `key`; with `or_equal` also those of the same key. Who comes
// from the left run counts the lesser ones of the right run, who comes from the right also the equal ones of the left:
// so equal keys keep their order.
template <class Element>
__device__ inline int rank(unsigned key, const Element* sorted, int count, bool or_equal) {
  int least = 0, most = count;
  while (least < most) {
    const int middle = (least + most) / 2;
    const unsigned other = key_of(sorted[middle]);
    if (other < key || (or_equal && other == key))
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

// Every block sorts a tile: runs of 1, 2, 4 and so on, a thread having one item of the left and one of the right run.
__global__ void sort_tiles(Item* items) {
  __shared__ Item tile[kTile];
  Item* const mine = items + blockIdx.x * kTile;
  const int thread = static_cast<int>(threadIdx.x);
  tile[thread] = mine[thread];
  tile[thread + kTile / 2] = mine[thread + kTile / 2];
  for (int run = 1; run < kTile; run *= 2) {
    const int place = thread & (run - 1);  // in its run
    const Item* const left = tile + 2 * (thread - place);
    const Item* const right = left + run;
    __syncthreads();
    const Item first = left[place], second = right[place];
    const int before_first = rank(first.key, right, run, false);
    const int before_second = rank(second.key, left, run, true);
    __syncthreads();  // all have read
    Item* const merged = tile + 2 * (thread - place);
    merged[place + before_first] = first;
    merged[place + before_second] = second;
  }
  __syncthreads();
  mine[thread] = tile[thread];
  mine[thread + kTile / 2] = tile[thread + kTile / 2];
}

// Two neighbouring runs of sorted items, which are to be merged. The last pair may have a shorter right run, or none.
struct Pair {
  int begin;        // of the left run, in items; here its samples' ranks begin, too, in samples
  int left, right;  // items
};

// The pair with the n-th sample of left runs and of right runs, where all runs have `run` items.
__device__ inline Pair pair_of(int n, int run, int count) {
  const int begin = n / (run / kSample) * 2 * run;
  return {begin, min(run, count - begin), max(0, min(run, count - begin - run))};
}

// For each sample, how many items of the left and how many of the right run come before it. A thread has one sample of
// a left run and one of the right run beside it. Of each pair, the left run's samples come first.
__global__ void rank_samples(const Item* items, int* left_ranks, int* right_ranks, int run, int count) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const Pair pair = pair_of(n, run, count);
  const int place = n % (run / kSample) * kSample;  // of the sample in its run
  const Item* const left = items + pair.begin;
  const Item* const right = left + pair.left;
  const int slot = (pair.begin + place) / kSample;
  if (place < pair.left) {
    left_ranks[slot] = place;
    right_ranks[slot] = rank(left[place].key, right, pair.right, false);
  }
  if (place < pair.right) {
    const int right_slot = slot + pair.left / kSample;
    left_ranks[right_slot] = rank(right[place].key, left, pair.left, true);
    right_ranks[right_slot] = place;
  }
}

// Merges the ranks of each pair's left samples with those of its right samples: the limits at which the run is cut.
__global__ void merge_ranks(const int* ranks, int* limits, int run, int count) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const Pair pair = pair_of(n, run, count);
  const int place = n % (run / kSample), lefts = pair.left / kSample, rights = pair.right / kSample;
  const int* const left = ranks + pair.begin / kSample;
  const int* const right = left + lefts;
  int* const merged = limits + pair.begin / kSample;
  if (place < lefts) {
    const int before = rank(left[place], right, rights, false);
    merged[place + before] = left[place];
  }
  if (place < rights) {
    const int before = rank(right[place], left, lefts, true);
    merged[place + before] = right[place];
  }
}

// Every block merges one piece of a pair: the items of both runs from a limit to the next.
__global__ void merge_pieces(const Item* from, Item* to, const int* left_limits, const int* right_limits, int run,
                             int count) {
  __shared__ Item left[kSample], right[kSample], merged[2 * kSample];
  const int piece = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const Pair pair = pair_of(piece / 2, run, count);  // it has as many pieces as samples
  const bool last = (piece + 1) * kSample == pair.begin + pair.left + pair.right;
  const int left_begin = left_limits[piece], right_begin = right_limits[piece];
  const int lefts = (last ? pair.left : left_limits[piece + 1]) - left_begin;
  const int rights = (last ? pair.right : right_limits[piece + 1]) - right_begin;

  if (thread < lefts) left[thread] = from[pair.begin + left_begin + thread];
  if (thread < rights) right[thread] = from[pair.begin + pair.left + right_begin + thread];
  __syncthreads();
  if (thread < lefts) {
    const Item item = left[thread];
    merged[thread + rank(item.key, right, rights, false)] = item;
  }
  if (thread < rights) {
    const Item item = right[thread];
    merged[thread + rank(item.key, left, lefts, true)] = item;
  }
  __syncthreads();
  Item* const target = to + pair.begin + left_begin + right_begin;
  for (int i = thread; i < lefts + rights; i += kSample) target[i] = merged[i];
}

std::vector<Item> device_sorted(const std::vector<Item>& input) {
  const int count = static_cast<int>(input.size()), samples = count / kSample;
  const workload::DeviceArray<Item> first(input), second(input.size());
  const workload::DeviceArray<int> left_ranks(samples), right_ranks(samples), left_limits(samples),
      right_limits(samples);
  Item *from = first.get(), *to = second.get();
  sort_tiles<<<count / kTile, kTile / 2>>>(from);
  for (int run = kTile; run < count; run *= 2) {
    const int pairs = (count + 2 * run - 1) / (2 * run);
    const int blocks = (pairs * (run / kSample) + kRankThreads - 1) / kRankThreads;
    rank_samples<<<blocks, kRankThreads>>>(from, left_ranks.get(), right_ranks.get(), run, count);
    merge_ranks<<<blocks, kRankThreads>>>(left_ranks.get(), left_limits.get(), run, count);
    merge_ranks<<<blocks, kRankThreads>>>(right_ranks.get(), right_limits.get(), run, count);
    merge_pieces<<<samples, kSample>>>(from, to, left_limits.get(), right_limits.get(), run, count);
    std::swap(from, to);
  }
  CUDA_CHECK(cudaGetLastError());
  return (from == first.get() ? first : second).download();
}

// Each key about four times; a value tells where an item was.
std::vector<Item> make_items(int count) {
  workload::Random random(17);
  std::vector<Item> items;
  for (int i = 0; i < count; ++i) items.push_back({random.below(count / 4), static_cast<unsigned>(i)});
  return items;
}

template <class Member>
std::vector<unsigned> column(const std::vector<Item>& items, Member member) {
  std::vector<unsigned> values;
  for (const Item& item : items) values.push_back(item.*member);
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  int tiles = 256;
  workload::Options("mergesort", "stable merge sort of keys with values, checked exactly")
      .number("--size", tiles, 1, 16384, "keys in tiles of 1024")
      .parse(argc, argv);

  const std::vector<Item> items = make_items(tiles * kTile);
  const std::vector<Item> got = device_sorted(items);
  std::vector<Item> expected = items;
  std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  workload::expect_equal("keys", column(got, &Item::key), column(expected, &Item::key));
  workload::expect_equal("values", column(got, &Item::value), column(expected, &Item::value));
  return workload::pass();
}
