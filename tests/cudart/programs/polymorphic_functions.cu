// nvstd::function: what is done with functions on the host is done in kernels, too, and gives the same numbers; every
// object that a function held is destroyed. Prints a line for each expectation that does not hold, PASS at the end.
#include <memory>
#include <nvfunctional>

#include "expect.h"

using Function = nvstd::function<int(int)>;

__device__ int of_device(int x) { return x + 1; }
__host__ __device__ int of_both(int x) { return x + 2; }
static int of_host(int x) { return x + 3; }

struct OfDevice {
  int by;
  __device__ int operator()(int x) const { return x * by; }
};

/// Counts its copies, and how many of it there are.
template <int size>
struct Counted {
  __host__ __device__ Counted(int value, int* counts) : counts(counts) {
    for (int& each : values) each = value;
    ++counts[0];
  }
  __host__ __device__ Counted(const Counted& other) : Counted(other.values[size - 1], other.counts) { ++counts[1]; }
  __host__ __device__ Counted(Counted&& other) noexcept : Counted(other.values[size - 1], other.counts) {}
  __host__ __device__ ~Counted() { --counts[0]; }
  __host__ __device__ int operator()(int x) { return x + values[size - 1]++; }
  int* counts;
  int values[size];
};
using Small = Counted<2>;
using Large = Counted<40>;

struct Account {
  int sum;
  __host__ __device__ int add(int x) { return sum += x; }
};

static __host__ __device__ int twice(const Function& apply, int x) { return apply(apply(x)); }

/// How often what it holds was copied, and how many objects are left, stand in `counts`.
template <class Held>
static __host__ __device__ void copy_and_move(int* results, int* counts) {
  Function one = Held(10, counts), other(one);
  results[0] = one(1), results[1] = one(1), results[2] = other(1);  // each counts on its own
  Function moved = static_cast<Function&&>(one);
  results[3] = moved(0) * 2 + !one;
  other.swap(moved);
  results[4] = other(0) * 100 + moved(0);
  swap(other, moved);
  one = moved;
  results[5] = twice(one, 0);
  moved = of_both;
  results[6] = moved(5);
  one = nullptr;
  results[7] = (one == nullptr) + 2 * (nullptr != other);
  other = static_cast<Function&&>(moved);
  results[8] = other(0) + 10 * (moved == nullptr) + 100 * static_cast<bool>(other);
  const Function& itself = other;
  other = itself;
  results[9] = other(7);
  results[10] = counts[0];
  one = Held(20, counts);
  results[11] = one(0) + 100 * counts[0];
}

/// Of all kinds of what can be called.
static __host__ __device__ void call(int* results) {
  int seen = 0;
  const nvstd::function<void(int)> remember = [&seen](int x) {
    seen = x;
    return x;
  };
  remember(5);
  results[0] = seen;
  nvstd::function<void(int&)> increase = [](int& x) { ++x; };
  increase(results[0]);
  nvstd::function<long(Account&, int)> add = &Account::add;
  nvstd::function<int(const Account*)> sum = &Account::sum;
  Account account{3};
  results[1] = static_cast<int>(add(account, 4)) * 10 + sum(&account);
  Function factorial = [&factorial](int x) { return x < 2 ? 1 : x * factorial(x - 1); };
  results[2] = factorial(6);
  int (*none)(int) = nullptr;
  int (Account::*no_member)(int) = nullptr;
  results[3] = !Function(none) + !nvstd::function<int(Account*, int)>(no_member) + !Function() + !Function(nullptr);
  nvstd::function<double(float, const double&)> product = [](double a, double b) { return a * b; };
  results[4] = static_cast<int>(product(2.5f, 4));
  const nvstd::function<int()> thrice = [factorial] { return factorial(4) * 3; };
  results[5] = thrice();
}

constexpr int kResults = 32;
/// By hand: the first counts to 12 before it is moved, its copy to 11.
constexpr int kCopiedAndMoved[12] = {11, 12, 11, 25, 1311, 29, 7, 3, 112, 9, 0, 120};

__host__ __device__ void work(int* results, int* counts) {
  copy_and_move<Small>(results, counts);
  copy_and_move<Large>(results + 12, counts + 2);
  call(results + 24);
}
__global__ void work_on_device(int* results, int* counts) {
  work(results + threadIdx.x * kResults, counts + threadIdx.x * 4);
}

/// Threads of a warp call different functions.
__global__ void choose(int* results) {
  const int by = static_cast<int>(threadIdx.x);
  const Function functions[4] = {of_device, of_both, OfDevice{by}, [by] __device__(int x) { return x - by; }};
  results[threadIdx.x] = functions[threadIdx.x % 4](100);
}

static void check(const int* results, const int* counts) {
  for (int i = 0; i < 24; ++i) EXPECT(results[i] == kCopiedAndMoved[i % 12]);
  EXPECT(results[24] == 6 && results[25] == 77 && results[26] == 720 && results[27] == 4 && results[28] == 10);
  EXPECT(results[29] == 72);
  for (int i = 0; i < 4; i += 2) EXPECT(counts[i] == 0 && counts[i + 1] == 2);
}

template <class From>
constexpr bool makes_function() {
  return std::is_convertible<From, Function>::value;
}
static_assert(makes_function<int (*)(long)>() && makes_function<double (&)(int)>(), "");
static_assert(!makes_function<int (*)(int*)>() && !makes_function<void (*)(int)>() && !makes_function<int>(), "");
static_assert(!makes_function<int (*)(int, int)>() && !std::is_convertible<Function, bool>::value, "");
static_assert(std::is_nothrow_move_constructible<Function>::value, "");

static int which(nvstd::function<int(int)>) { return 1; }
static int which(nvstd::function<int(int*)>) { return 2; }

static void check_host() {
  int counts[4] = {}, results[kResults] = {};
  work(results, counts);
  check(results, counts);
  Function host = of_host;
  EXPECT(host(1) == 4 && which([](int x) { return x; }) == 1 && which([](int* x) { return *x; }) == 2);
  nvstd::function<int(std::unique_ptr<int>)> consume = [](std::unique_ptr<int> x) { return *x; };
  EXPECT(consume(std::unique_ptr<int>(new int(8))) == 8);
  bool is_thrown = false;
  try {
    Function()(1);
  } catch (const std::bad_function_call&) {
    is_thrown = true;
  }
  EXPECT(is_thrown);
}

int main() {
  int *results = nullptr, *counts = nullptr;
  EXPECT(cudaMallocManaged(&results, 32 * kResults * sizeof *results) == cudaSuccess);
  EXPECT(cudaMallocManaged(&counts, 32 * 4 * sizeof *counts) == cudaSuccess);
  work_on_device<<<1, 32>>>(results, counts);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 32; ++i) check(results + i * kResults, counts + 4 * i);
  choose<<<1, 32>>>(results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 32; ++i)
    EXPECT(results[i] == (i % 4 == 0 ? 101 : i % 4 == 1 ? 102 : i % 4 == 2 ? 100 * i : 100 - i));
  check_host();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
