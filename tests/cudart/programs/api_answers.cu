// What calls of the CUDA runtime answer to good and bad arguments, and after a kernel that failed; a line each: the
// call, its result and what cudaGetLastError says then. tests/data/silicon has what a GPU's runtime answered.
// api_answers [misaligned|wild|trap]
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

__constant__ int table[8];
__device__ int cell[4];
extern __shared__ int dynamic[];

__global__ void nothing() {}
__global__ void write(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void __launch_bounds__(128) bounded(int* p) { p[threadIdx.x] = 1; }
__global__ void with_shared(int* p) {
  dynamic[threadIdx.x] = 1;
  p[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}
__global__ void trap() { asm volatile("trap;"); }

static void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }

static void tell(const char* call, cudaError_t result) {
  std::printf("%s: %s, then %s\n", call, cudaGetErrorName(result), cudaGetErrorName(cudaGetLastError()));
}
#define TELL(...) tell(#__VA_ARGS__, (__VA_ARGS__))
#define TELL_LAUNCH(...)                              \
  do {                                                \
    __VA_ARGS__;                                      \
    tell("launch " #__VA_ARGS__, cudaGetLastError()); \
  } while (0)

static int* memory = nullptr;
static int host[64];
static void* pointer = nullptr;
static int number = 0;
static unsigned flags = 0;

static void allocations() {
  TELL(cudaMalloc(&pointer, 0));
  std::printf("of nothing: %s\n", pointer == nullptr ? "null" : "a pointer");
  TELL(cudaMalloc((void**)nullptr, 8));
  TELL(cudaMalloc(&pointer, size_t(1) << 60));
  TELL(cudaFree(nullptr));
  TELL(cudaFree((void*)0x1234));
  TELL(cudaFree(memory + 1));
  TELL(cudaFree(host));
  TELL(cudaMallocManaged(&pointer, 64));
  TELL(cudaFree(pointer));
  TELL(cudaMallocManaged(&pointer, 64, 77));
  TELL(cudaMallocManaged(&pointer, 0));
  std::printf("of nothing: %s\n", pointer == nullptr ? "null" : "a pointer");
  size_t pitch = 9, bytes = 0;
  TELL(cudaMallocPitch(&pointer, &pitch, 0, 4));
  std::printf("pitch %zu\n", pitch);
  TELL(cudaMemGetInfo(nullptr, &bytes));
  TELL(cudaMemGetInfo(&bytes, nullptr));
}

static void host_memory() {
  TELL(cudaMallocHost(&pointer, 256));
  TELL(cudaHostGetFlags(&flags, pointer));
  std::printf("flags %u\n", flags);
  TELL(cudaFreeHost(pointer));
  TELL(cudaFreeHost(pointer));
  TELL(cudaFreeHost(nullptr));
  TELL(cudaFreeHost(host));
  TELL(cudaFreeHost(memory));
  TELL(cudaHostAlloc(&pointer, 64, 0x40));
  TELL(cudaHostAlloc(&pointer, 64, cudaHostAllocPortable));
  TELL(cudaHostGetFlags(&flags, pointer));
  std::printf("flags %u\n", flags);
  TELL(cudaFree(pointer));
  TELL(cudaFreeHost(pointer));
  TELL(cudaHostGetFlags(&flags, host));
  TELL(cudaHostGetDevicePointer(&pointer, host, 0));
  TELL(cudaHostRegister(host, sizeof host, 0x4000));
  TELL(cudaHostRegister(host, sizeof host, 0));
  TELL(cudaHostRegister(host, sizeof host, 0));
  TELL(cudaHostUnregister(host));
  TELL(cudaHostUnregister(host));
}

static void copies() {
  TELL(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  TELL(cudaMemcpy(nullptr, memory, 0, cudaMemcpyDeviceToHost));
  TELL(cudaMemcpy(nullptr, memory, 4, cudaMemcpyDeviceToHost));
  TELL(cudaMemcpy(host, memory, 4, cudaMemcpyDefault));
  TELL(cudaMemcpy(host, memory, 4, cudaMemcpyHostToDevice));
  TELL(cudaMemcpy(host, memory, 4, cudaMemcpyKind(17)));
  TELL(cudaMemcpy(memory, host, 4, cudaMemcpyDeviceToHost));
  TELL(cudaMemcpy(host, memory + 192, 512, cudaMemcpyDeviceToHost));
  TELL(cudaMemset(memory, 0, 1024));
  TELL(cudaMemset(nullptr, 0, 4));
  TELL(cudaMemset(nullptr, 0, 0));
  TELL(cudaMemset(host, 0, 4));
  TELL(cudaMemsetAsync(memory, 1, 1025));
  TELL(cudaMemset2D(memory, 8, 0, 16, 4));
  TELL(cudaMemcpy2D(memory, 8, host, 16, 16, 4, cudaMemcpyHostToDevice));
  TELL(cudaMemcpy2D(memory, 16, host, 8, 16, 4, cudaMemcpyHostToDevice));
  TELL(cudaMemcpyToSymbol(table, host, 32));
  TELL(cudaMemcpyToSymbol(table, host, 36));
  TELL(cudaMemcpyToSymbol(table, host, 8, 28));
  TELL(cudaMemcpyToSymbol(host, host, 4));
  TELL(cudaMemcpyToSymbol(cell, host, 4, 0, cudaMemcpyDeviceToHost));
  TELL(cudaMemcpyFromSymbol(host, cell, 4, 0, cudaMemcpyHostToDevice));
  TELL(cudaMemcpyFromSymbol(host, cell, 20));
  TELL(cudaGetSymbolAddress(&pointer, host));
}

static void launches() {
  TELL_LAUNCH(nothing<<<0, 1>>>());
  TELL_LAUNCH(nothing<<<1, 1025>>>());
  TELL_LAUNCH(nothing<<<dim3(1, 65536), 1>>>());
  TELL_LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>());
  TELL_LAUNCH(nothing<<<1, dim3(1, 1, 64)>>>());
  TELL_LAUNCH(bounded<<<1, 129>>>(memory));
  TELL_LAUNCH(bounded<<<1, 128>>>(memory));
  TELL_LAUNCH(with_shared<<<1, 32, 49152>>>(memory));
  TELL_LAUNCH(with_shared<<<1, 32, 49153>>>(memory));
  void* arguments[] = {&memory};
  TELL(cudaLaunchKernel((const void*)write, dim3(1), dim3(32), arguments, 0, 0));
  TELL(cudaLaunchKernel((const void*)host, dim3(1), dim3(32), arguments, 0, 0));
  TELL(cudaLaunchKernel((const void*)nullptr, dim3(1), dim3(32), arguments, 0, 0));
  TELL(cudaLaunchCooperativeKernel((const void*)write, dim3(1), dim3(32), arguments, 0, 0));
  TELL(cudaLaunchCooperativeKernel((const void*)write, dim3(100000), dim3(1024), arguments, 0, 0));
  TELL(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  cudaFuncAttributes attributes;
  TELL(cudaFuncGetAttributes(&attributes, (const void*)host));
  TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, nothing, 0, 0));
  TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, nothing, 1025, 0));
  std::printf("blocks of 1025: %d\n", number);
}

static void streams_and_events() {
  cudaStream_t stream;
  cudaEvent_t event, untimed;
  float milliseconds = -1;
  TELL(cudaStreamCreateWithFlags(&stream, 77));
  TELL(cudaStreamCreate((cudaStream_t*)nullptr));
  TELL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 99));
  TELL(cudaStreamGetPriority(stream, &number));
  std::printf("priority %d\n", number);
  TELL(cudaStreamGetFlags(stream, &flags));
  std::printf("flags %u\n", flags);
  TELL(cudaEventCreateWithFlags(&event, 77));
  TELL(cudaEventCreate((cudaEvent_t*)nullptr));
  TELL(cudaEventCreate(&event));
  TELL(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  TELL(cudaEventQuery(event));
  TELL(cudaEventElapsedTime(&milliseconds, event, event));
  TELL(cudaEventRecord(event));
  TELL(cudaEventRecord(untimed));
  TELL(cudaEventSynchronize(event));
  TELL(cudaEventElapsedTime(&milliseconds, event, event));
  TELL(cudaEventElapsedTime(&milliseconds, event, untimed));
  TELL(cudaEventRecord(nullptr));
  TELL(cudaEventRecordWithFlags(event, stream, 5));
  TELL(cudaEventDestroy(nullptr));
  TELL(cudaStreamWaitEvent(stream, event, 5));
  TELL(cudaStreamWaitEvent(stream, nullptr, 0));
  int calls = 0;
  TELL(cudaLaunchHostFunc(stream, count, &calls));
  TELL(cudaLaunchHostFunc(stream, nullptr, &calls));
  TELL(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  TELL(cudaStreamSynchronize(stream));
  std::printf("called %d\n", calls);
  TELL(cudaStreamDestroy(nullptr));
  TELL(cudaStreamDestroy(stream));
}

static void device() {
  size_t bytes = 0;
  TELL(cudaSetDevice(99));
  TELL(cudaSetDevice(-1));
  TELL(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 99));
  TELL(cudaDeviceGetAttribute(&number, cudaDeviceAttr(0), 0));
  TELL(cudaDeviceGetAttribute(&number, cudaDeviceAttr(9999), 0));
  TELL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  TELL(cudaSetDeviceFlags(0xffff));
  TELL(cudaDeviceSetLimit(cudaLimit(99), 4096));
  TELL(cudaDeviceGetLimit(&bytes, cudaLimit(99)));
  TELL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  TELL(cudaDeviceGetByPCIBusId(&number, "ffff:ff:ff.0"));
  TELL(cudaDeviceGetByPCIBusId(&number, "nonsense"));
  TELL(cudaDeviceEnablePeerAccess(0, 0));
  TELL(cudaDeviceEnablePeerAccess(99, 0));
  std::printf("%s, %s\n", cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorString(cudaError_t(12345)));
}

static void after_a_failure(const std::string& which) {
  if (which == "misaligned") write<<<1, 32>>>((int*)((char*)memory + 2));
  if (which == "wild") write<<<1, 32>>>((int*)16);
  if (which == "trap") trap<<<1, 32>>>();
  cudaStream_t stream;
  TELL(cudaDeviceSynchronize());
  TELL(cudaGetLastError());
  TELL(cudaPeekAtLastError());
  TELL(cudaMemcpy(host, memory, 4, cudaMemcpyDeviceToHost));
  TELL(cudaMalloc(&pointer, 8));
  TELL(cudaFree(memory));
  TELL(cudaStreamCreate(&stream));
  TELL(cudaGetDevice(&number));
  TELL(cudaGetDeviceCount(&number));
  TELL(cudaSetDevice(0));
  TELL(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
  TELL(cudaRuntimeGetVersion(&number));
  TELL(cudaDriverGetVersion(&number));
  TELL_LAUNCH(nothing<<<1, 1>>>());
  TELL(cudaDeviceSynchronize());
  cudaPointerAttributes attributes;
  TELL(cudaPointerGetAttributes(&attributes, memory));
  TELL(cudaDeviceReset());
}

int main(int argc, char** argv) {
  TELL(cudaMalloc(&memory, 1024));
  if (argc > 1) {
    after_a_failure(argv[1]);
    return 0;
  }
  allocations();
  host_memory();
  copies();
  launches();
  streams_and_events();
  device();
}
