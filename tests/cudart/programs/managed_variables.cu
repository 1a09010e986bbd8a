// __managed__ variables: host and kernels name the same bytes at the same addresses. Prints one line per failure, PASS
// at the end.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "expect.h"

struct Pair {
  int first, more[2];
};

__device__ __managed__ int count = 40;
__managed__ __device__ int unset[3];
static __managed__ int own = 7;
__managed__ static __device__ long long wide = -1;
namespace inner {
__managed__ double table[4] = {0.5, 1.5, 2.5, 3.5};
static __managed__ Pair pair = {1, {2, 3}};
}  // namespace inner
namespace {
alignas(64) __managed__ char text[8] = "abc";
}
__managed__ Pair* first;
__managed__ int* inside = nullptr;
__managed__ int of_the_host = 3, second_in_line = 4;
__device__ int plain = 11;
thread_local int of_a_thread = 12;

// Before main: values, and pointers that begin as addresses.
int early = count + inner::pair.more[1];
int* pointer = &count;
int* const pointers[2] = {&own, unset + 1};
double& reference = inner::table[3];

__global__ void change(int* at, uintptr_t* addresses) {
  count += 2;
  own *= 3;
  wide -= count;
  unset[1] = *at;
  for (double& value : inner::table) value *= 2;
  inner::pair.more[0] += first->first;
  *inside = plain;
  text[0] = 'x';
  addresses[0] = reinterpret_cast<uintptr_t>(&count);
  addresses[1] = reinterpret_cast<uintptr_t>(&own);
  addresses[2] = reinterpret_cast<uintptr_t>(inner::table + 1);
  addresses[3] = reinterpret_cast<uintptr_t>(first);
}
__managed__ uintptr_t addresses[4];

static void values_are_there_before_main() {
  EXPECT(early == 43);
  EXPECT(pointer == &count && pointers[0] == &own && pointers[1] == &unset[1] && &reference == &inner::table[3]);
}

static void both_sides_see_what_the_other_wrote() {
  count = 50;
  first = &inner::pair;
  inside = &unset[2];
  own++;
  of_the_host += second_in_line;
  for (int i = 0; i < 4; i++) inner::table[i] += i;
  change<<<1, 1>>>(&of_the_host, addresses);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(count == 52 && *pointer == 52 && own == 24 && wide == -53 && of_the_host == 7);
  EXPECT(unset[0] == 0 && unset[1] == 7 && unset[2] == 11 && inside == &unset[2]);
  EXPECT(inner::table[0] == 1 && inner::table[1] == 5 && inner::table[2] == 9 && reference == 13);
  EXPECT(inner::pair.first == 1 && inner::pair.more[0] == 3 && inner::pair.more[1] == 3 && first == &inner::pair);
  EXPECT(text[0] == 'x' && text[1] == 'b' && reinterpret_cast<uintptr_t>(text) % 64 == 0);
  EXPECT(of_a_thread == 12);
}

static void addresses_are_the_same_on_both_sides() {
  EXPECT(addresses[0] == reinterpret_cast<uintptr_t>(&count) && addresses[1] == reinterpret_cast<uintptr_t>(&own));
  EXPECT(addresses[2] == reinterpret_cast<uintptr_t>(&inner::table[1]));
  EXPECT(addresses[3] == reinterpret_cast<uintptr_t>(&inner::pair));
  EXPECT(&inner::table[3] - inner::table == 3 && (pointer >= unset + 3 || pointer < unset));
}

static void they_are_symbols() {
  int value = 77, back = 0;
  EXPECT(cudaMemcpyToSymbol(count, &value, sizeof value) == cudaSuccess && count == 77);
  EXPECT(cudaMemcpyToSymbol(unset, &value, sizeof value, sizeof value) == cudaSuccess && unset[1] == 77);
  count = 78;
  EXPECT(cudaMemcpyFromSymbol(&back, count, sizeof back) == cudaSuccess && back == 78);
  void* address = nullptr;
  size_t bytes = 0;
  EXPECT(cudaGetSymbolAddress(&address, inner::table) == cudaSuccess && address == inner::table);
  EXPECT(cudaGetSymbolSize(&bytes, inner::table) == cudaSuccess && bytes == sizeof inner::table);
  EXPECT(cudaMemcpyFromSymbol(&back, plain, sizeof back) == cudaSuccess && back == 11);
  EXPECT(cudaGetSymbolAddress(&address, unset[1]) == cudaErrorInvalidSymbol);
  EXPECT(cudaGetLastError() == cudaErrorInvalidSymbol);
}

static void they_are_managed_memory() {
  cudaPointerAttributes attributes;
  EXPECT(cudaPointerGetAttributes(&attributes, &inner::table[1]) == cudaSuccess);
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(attributes.hostPointer == &inner::table[1] && attributes.devicePointer == &inner::table[1]);
}

int main() {
  values_are_there_before_main();
  both_sides_see_what_the_other_wrote();
  addresses_are_the_same_on_both_sides();
  they_are_symbols();
  they_are_managed_memory();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
