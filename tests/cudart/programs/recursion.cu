// Functions that call themselves, each thread to a depth of its own, checked against the host: prints one line per
// failure, PASS at the end.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "expect.h"

#define BOTH __host__ __device__ __noinline__

/// What every test runs: `kernel` with a word of results for each thread.
template <typename Kernel>
static std::vector<unsigned> results_of(Kernel kernel, int blocks, int threads) {
  const size_t count = static_cast<size_t>(blocks) * threads;
  unsigned* out;
  EXPECT(cudaMalloc(&out, count * sizeof(unsigned)) == cudaSuccess);
  kernel<<<blocks, threads>>>(out);
  std::vector<unsigned> words(count);
  EXPECT(cudaMemcpy(words.data(), out, count * sizeof(unsigned), cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaFree(out) == cudaSuccess);
  return words;
}

__device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Two calls, a value alive across each.
BOTH unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void fibonaccis(unsigned* out) { out[place()] = fibonacci(place() % 11); }

// A call within the argument of another.
BOTH unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void ackermanns(unsigned* out) { out[place()] = ackermann(place() % 3, place() % 5); }

// Mutual recursion; more than the result is different on the two ways.
BOTH unsigned odd_steps(unsigned n, unsigned* steps);
BOTH unsigned even_steps(unsigned n, unsigned* steps) {
  *steps += 1;
  return n == 0 ? 1 : 3 + odd_steps(n - 1, steps);
}
BOTH unsigned odd_steps(unsigned n, unsigned* steps) {
  *steps += 100;
  return n == 0 ? 0 : 5 + even_steps(n - 1, steps);
}
BOTH unsigned both_steps(unsigned n) {
  unsigned steps = 0;
  const unsigned sum = even_steps(n, &steps);
  return sum * 100000 + steps;
}
__global__ void alternations(unsigned* out) { out[place()] = both_steps(place() % 23); }

// A local array of each activation, of which those below get the address.
BOTH unsigned fill(unsigned depth, unsigned seed, const unsigned* above) {
  unsigned own[4];
  for (unsigned i = 0; i < 4; ++i) own[i] = seed * (i + 1) + (above ? above[(seed + i) % 4] : 0);
  if (depth == 0) return own[seed % 4];
  const unsigned below = fill(depth - 1, seed * 7 + 1, own);
  return below + own[(below + seed) % 4] + (above ? above[below % 4] : 0);
}
__global__ void arrays(unsigned* out) { out[place()] = fill(place() % 9, place(), nullptr); }

// Loops around calls, calls in both sides of branches.
BOTH void sort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[(first + last) / 2];
  int low = first, high = last;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low <= high) {
      const int value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
  }
  sort(values, first, high);
  sort(values, low, last);
}
__global__ void sorts(int* values, int each) {
  sort(values, static_cast<int>(place()) * each, static_cast<int>(place() + 1) * each - 1);
}

static void quicksort() {
  const int threads = 64, each = 24;
  std::vector<int> values(threads * each);
  unsigned state = 12345;
  for (int& value : values) value = static_cast<int>((state = state * 1664525 + 1013904223) >> 20);
  std::vector<int> expected = values;
  for (int i = 0; i < threads; ++i) std::sort(expected.begin() + i * each, expected.begin() + (i + 1) * each);
  int* on_device;
  EXPECT(cudaMalloc(&on_device, values.size() * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMemcpy(on_device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  sorts<<<2, threads / 2>>>(on_device, each);
  EXPECT(cudaMemcpy(values.data(), on_device, values.size() * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(values == expected);
  EXPECT(cudaFree(on_device) == cudaSuccess);
}

// A recursive call in a loop, with a value of 64 bits alive across it.
BOTH unsigned long long queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  unsigned long long solutions = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned queen = free & -free;
    solutions += queens(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return solutions;
}
__global__ void boards(unsigned* out) {
  out[place()] = static_cast<unsigned>(queens((1u << (place() % 6 + 1)) - 1, 0, 0, 0));
}

// A structure as argument and as result, of a tree.
struct Node {
  int left, right, value;
};
struct Summary {
  int sum, deepest;
  double product;
};
BOTH Summary merged(const Node* nodes, int root, Summary so_far) {
  if (root < 0) return so_far;
  const Node& node = nodes[root];
  so_far.sum += node.value;
  so_far.product = so_far.product * 1.5 + node.value;
  const Summary left = merged(nodes, node.left, so_far);
  Summary right = merged(nodes, node.right, left);
  right.deepest = 1 + (left.deepest > right.deepest ? left.deepest - so_far.deepest : right.deepest);
  return right;
}
__global__ void trees(const Node* nodes, int count, Summary* out) {
  out[place()] = merged(nodes, static_cast<int>(place()) % count, Summary{0, 0, 1.0});
}

static void tree_walks() {
  const int count = 40, threads = 64;
  std::vector<Node> nodes(count);
  for (int i = 0; i < count; ++i)
    nodes[i] = {2 * i + 1 < count ? 2 * i + 1 : -1, i % 3 != 0 && 2 * i + 2 < count ? 2 * i + 2 : -1, i * 37 % 101};
  Node* on_device;
  Summary* out;
  EXPECT(cudaMalloc(&on_device, count * sizeof(Node)) == cudaSuccess);
  EXPECT(cudaMalloc(&out, threads * sizeof(Summary)) == cudaSuccess);
  EXPECT(cudaMemcpy(on_device, nodes.data(), count * sizeof(Node), cudaMemcpyHostToDevice) == cudaSuccess);
  trees<<<1, threads>>>(on_device, count, out);
  std::vector<Summary> found(threads);
  EXPECT(cudaMemcpy(found.data(), out, threads * sizeof(Summary), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < threads; ++i) {
    const Summary expected = merged(nodes.data(), i % count, Summary{0, 0, 1.0});
    EXPECT(found[i].sum == expected.sum && found[i].deepest == expected.deepest &&
           found[i].product == expected.product);
  }
  EXPECT(cudaFree(on_device) == cudaSuccess && cudaFree(out) == cudaSuccess);
}

// Through a virtual function and a pointer to a function, which come back to themselves.
struct Term {
  BOTH virtual int value(int x) const = 0;
};
struct Number : Term {
  int number;
  BOTH explicit Number(int n) : number(n) {}
  BOTH int value(int x) const override { return number + x; }
};
struct Sum : Term {
  const Term *left, *right;
  BOTH Sum(const Term* l, const Term* r) : left(l), right(r) {}
  BOTH int value(int x) const override { return left->value(x) + 2 * right->value(x + 1); }
};
BOTH int nested(int x) {
  const Number one(1), ten(10);
  const Sum inner(&one, &ten), outer(&inner, &one), whole(&ten, &outer);
  const Term* const terms[] = {&one, &inner, &outer, &whole};
  return terms[x % 4]->value(x);
}
__global__ void terms(unsigned* out) { out[place()] = static_cast<unsigned>(nested(static_cast<int>(place()))); }

struct Step;
typedef unsigned (*Visit)(unsigned, const Step*);
struct Step {
  Visit even, odd;
};
BOTH unsigned half(unsigned n, const Step* step) {
  return n < 2 ? n : 1 + (n % 4 == 0 ? step->even : step->odd)(n / 2, step);
}
BOTH unsigned triple(unsigned n, const Step* step) {
  return n < 3 ? 10 : 100 + (n % 2 == 0 ? step->even : step->odd)(n - 3, step) + n;
}
BOTH unsigned walk(unsigned n) {
  const Step step = {half, triple};
  return (n % 2 == 0 ? step.even : step.odd)(n, &step);
}
__global__ void walks(unsigned* out) { out[place()] = walk(place() * 3); }

/// Sixty-four words of each activation are alive during the next one.
BOTH unsigned deep(unsigned n, const unsigned* before) {
  unsigned words[64];
  for (unsigned i = 0; i < 64; ++i) words[i] = before[(i + 1) % 64] + n;
  return n == 0 ? words[0] : deep(n - 1, words) + words[n % 64];
}
BOTH unsigned depths(unsigned n) {
  const unsigned first[64] = {n};
  return deep(n, first);
}
__global__ void descents(unsigned* out) { out[place()] = depths(100 * (place() % 2)); }

int main() {
  cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);  // of which 100 activations need half
  const std::vector<unsigned> found_descents = results_of(descents, 1, 32);
  for (unsigned i = 0; i < found_descents.size(); ++i) EXPECT(found_descents[i] == depths(100 * (i % 2)));
  const std::vector<unsigned> found_fibonaccis = results_of(fibonaccis, 2, 48);
  for (unsigned i = 0; i < found_fibonaccis.size(); ++i) EXPECT(found_fibonaccis[i] == fibonacci(i % 11));
  const std::vector<unsigned> found_ackermanns = results_of(ackermanns, 1, 40);
  for (unsigned i = 0; i < found_ackermanns.size(); ++i) EXPECT(found_ackermanns[i] == ackermann(i % 3, i % 5));
  const std::vector<unsigned> found_alternations = results_of(alternations, 1, 64);
  for (unsigned i = 0; i < found_alternations.size(); ++i) EXPECT(found_alternations[i] == both_steps(i % 23));
  const std::vector<unsigned> found_arrays = results_of(arrays, 2, 32);
  for (unsigned i = 0; i < found_arrays.size(); ++i) EXPECT(found_arrays[i] == fill(i % 9, i, nullptr));
  const std::vector<unsigned> found_boards = results_of(boards, 1, 32);
  for (unsigned i = 0; i < found_boards.size(); ++i)
    EXPECT(found_boards[i] == queens((1u << (i % 6 + 1)) - 1, 0, 0, 0));
  const std::vector<unsigned> found_terms = results_of(terms, 1, 64);
  for (unsigned i = 0; i < found_terms.size(); ++i)
    EXPECT(found_terms[i] == static_cast<unsigned>(nested(static_cast<int>(i))));
  const std::vector<unsigned> found_walks = results_of(walks, 1, 64);
  for (unsigned i = 0; i < found_walks.size(); ++i) EXPECT(found_walks[i] == walk(i * 3));
  quicksort();
  tree_walks();
  std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures != 0;
}
