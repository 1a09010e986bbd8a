// A program of the driver API that loads PTX by itself, and uses the runtime API beside it: prints one line per
// failure, PASS at the end.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "expect.h"

// y[i] = a * x[i] + offset, for i below n.
static const char* const kPtx = R"(
.version 6.3
.target sm_70
.address_size 64

.visible .global .align 4 .u32 offset = 5;

.visible .entry scale(.param .u64 x, .param .u64 y, .param .u32 a, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p, %r6, %r2;
  @%p bra done;
  mul.wide.u32 %rd3, %r6, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r7, [%rd1];
  ld.global.u32 %r8, [offset];
  mad.lo.u32 %r7, %r7, %r1, %r8;
  st.global.u32 [%rd2], %r7;
done:
  ret;
}
)";

// Two sources that need each other.
static const char* const kCaller = R"(
.version 6.3
.target sm_70
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 value);
.visible .entry store_twice(.param .u64 to, .param .u32 value)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  {
    .param .b32 value0;
    .param .b32 result0;
    st.param.b32 [value0], %r1;
    call.uni (result0), twice, (value0);
    ld.param.b32 %r2, [result0];
  }
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
static const char* const kCalled = R"(
.version 6.3
.target sm_70
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";

static const unsigned kCount = 1000;

static CUresult create_context(CUcontext* context, unsigned flags) {
#if CUDA_VERSION >= 13000
  return cuCtxCreate(context, nullptr, flags, 0);
#else
  return cuCtxCreate(context, flags, 0);
#endif
}

static void before_a_context() {
  int count = 0, major = 0, minor = 0, value = 0;
  CUdevice device = -1;
  CUdeviceptr pointer = 0;
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuMemAlloc(&pointer, 4) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE && cuInit(0) == CUDA_SUCCESS);
  EXPECT(cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 1);
  EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS && cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS && value == 32);
  EXPECT(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) == CUDA_SUCCESS);
  EXPECT(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) == CUDA_SUCCESS);
  EXPECT(10 * major + minor >= 70);
  EXPECT(cuMemAlloc(&pointer, 4) == CUDA_ERROR_INVALID_CONTEXT);
  CUcontext context = reinterpret_cast<CUcontext>(&pointer);
  EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
  EXPECT(cuCtxPopCurrent(&context) == CUDA_ERROR_INVALID_CONTEXT);
}

static void contexts() {
  CUcontext first = nullptr, second = nullptr, popped = nullptr;
  CUdevice device = -1;
  unsigned flags = 0;
  int active = 1;
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
  EXPECT(create_context(&first, CU_CTX_SCHED_SPIN) == CUDA_SUCCESS && create_context(&second, 0) == CUDA_SUCCESS);
  EXPECT(cuCtxGetDevice(&device) == CUDA_SUCCESS && device == 0);
  EXPECT(cuCtxPopCurrent(&popped) == CUDA_SUCCESS && popped == second);
  EXPECT(cuCtxGetFlags(&flags) == CUDA_SUCCESS && (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_SPIN);
  EXPECT(cuCtxPushCurrent(second) == CUDA_SUCCESS && cuCtxDestroy(second) == CUDA_SUCCESS);
  EXPECT(cuCtxGetCurrent(&popped) == CUDA_SUCCESS && popped == first);
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS && cuCtxDestroy(first) == CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
}

static void expect_scaled(CUdeviceptr from, unsigned factor, unsigned offset) {
  std::vector<unsigned> y(kCount);
  EXPECT(cuMemcpyDtoH(y.data(), from, kCount * sizeof(unsigned)) == CUDA_SUCCESS);
  bool is_right = true;
  for (unsigned i = 0; i < kCount; ++i) is_right &= y[i] == factor * i + offset;
  EXPECT(is_right);
}

static void modules_and_launches() {
  CUmodule module = nullptr;
  CUfunction scale = nullptr, none = nullptr;
  EXPECT(cuModuleLoadData(&module, kPtx) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&scale, module, "scale") == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&none, module, "none") == CUDA_ERROR_NOT_FOUND);
  CUdeviceptr x = 0, y = 0, offset = 0;
  size_t bytes = 0;
  EXPECT(cuMemAlloc(&x, kCount * sizeof(unsigned)) == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&y, kCount * sizeof(unsigned)) == CUDA_SUCCESS && cuMemAlloc(&y, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemGetAddressRange(&offset, &bytes, x + 8) == CUDA_SUCCESS && offset == x && bytes == 4 * kCount);
  std::vector<unsigned> numbers(kCount);
  for (unsigned i = 0; i < kCount; ++i) numbers[i] = i;
  EXPECT(cuMemcpyHtoD(x, numbers.data(), kCount * sizeof(unsigned)) == CUDA_SUCCESS);

  unsigned factor = 3, count = kCount;
  void* arguments[] = {&x, &y, &factor, &count};
  EXPECT(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  expect_scaled(y, 3, 5);

  EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "offset") == CUDA_SUCCESS && bytes == 4);
  EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "scale") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "offset") == CUDA_SUCCESS);
  EXPECT(cuMemsetD32(offset, 1000000, 1) == CUDA_SUCCESS);
  struct {
    CUdeviceptr x, y;
    unsigned factor, count;
  } packed{x, y, 7, kCount};
  size_t packed_bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                   CU_LAUNCH_PARAM_END};
  CUlaunchConfig config{};
  config.gridDimX = 8, config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 128;
  EXPECT(cuLaunchKernelEx(&config, scale, nullptr, extra) == CUDA_SUCCESS);
  expect_scaled(y, 7, 1000000);

  int value = 0, blocks = 0;
  EXPECT(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale) == CUDA_SUCCESS && value > 0);
  EXPECT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0) == CUDA_SUCCESS && blocks > 0);
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
  EXPECT(cuMemFree(x) == CUDA_SUCCESS && cuMemFree(y) == CUDA_SUCCESS);
}

static void linked_sources() {
  char errors[256] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
  CUlinkState state = nullptr;
  void* image = nullptr;
  size_t bytes = 0;
  EXPECT(cuLinkCreate(2, options, values, &state) == CUDA_SUCCESS);
  for (const char* source : {kCaller, kCalled})
    EXPECT(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(source), std::strlen(source) + 1, "source", 0,
                         nullptr, nullptr) == CUDA_SUCCESS);
  EXPECT(cuLinkComplete(state, &image, &bytes) == CUDA_SUCCESS && bytes > 0);
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  EXPECT(cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == CUDA_SUCCESS);
  EXPECT(cuLinkDestroy(state) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&store, module, "store_twice") == CUDA_SUCCESS);
  unsigned* stored = nullptr;
  EXPECT(cuMemAllocHost(reinterpret_cast<void**>(&stored), sizeof *stored) == CUDA_SUCCESS);
  CUdeviceptr to = 0;
  EXPECT(cuMemHostGetDevicePointer(&to, stored, 0) == CUDA_SUCCESS);
  unsigned value = 21;
  void* arguments[] = {&to, &value};
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  EXPECT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  EXPECT(cuEventCreate(&begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS && cuEventCreate(&end, 0) == CUDA_SUCCESS);
  EXPECT(cuEventRecord(begin, stream) == CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuEventRecord(end, stream) == CUDA_SUCCESS && cuStreamSynchronize(stream) == CUDA_SUCCESS);
  float milliseconds = -1;
  EXPECT(cuEventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS && milliseconds > 0);
  EXPECT(*stored == 42);
  EXPECT(cuMemFreeHost(stored) == CUDA_SUCCESS && cuStreamDestroy(stream) == CUDA_SUCCESS);
}

/// Memory of one is memory of the other, and the runtime's context is the primary one.
static void with_the_runtime() {
  CUcontext primary = nullptr, current = nullptr;
  EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  unsigned* memory = nullptr;
  EXPECT(cudaMalloc(reinterpret_cast<void**>(&memory), 4 * sizeof *memory) == cudaSuccess);
  EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == primary);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(memory);
  EXPECT(cuMemsetD16(address, 0x1234, 4) == CUDA_SUCCESS);
  EXPECT(cuMemsetD8(address + 8, 0xab, 8) == CUDA_SUCCESS);
  unsigned read[4] = {};
  EXPECT(cudaMemcpy(read, memory, sizeof read, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(read[0] == 0x12341234 && read[1] == 0x12341234 && read[2] == 0xabababab && read[3] == 0xabababab);
  unsigned type = 0;
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE);
  EXPECT(cuMemFree(address) == CUDA_SUCCESS && cudaFree(memory) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cuMemFree(address) == CUDA_ERROR_INVALID_VALUE && cudaGetLastError() == cudaSuccess);
  EXPECT(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

static void functions_by_name() {
  void *by_version = nullptr, *old = &by_version;
  CUdriverProcAddressQueryResult status;
  EXPECT(cuGetProcAddress("cuMemAlloc", &by_version, 12000, 0, &status) == CUDA_SUCCESS &&
         status == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr pointer = 0;
  EXPECT(reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(by_version)(&pointer, 16) == CUDA_SUCCESS);
  EXPECT(cuMemFree(pointer) == CUDA_SUCCESS);
  cuGetProcAddress("cuNoSuchCall", &old, 12000, 0, &status);
  EXPECT(old == nullptr && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  EXPECT(library != nullptr && dlsym(library, "cuInit") == reinterpret_cast<void*>(&cuInit));
  const char *name = nullptr, *text = nullptr;
  EXPECT(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &name) == CUDA_SUCCESS && !std::strcmp(name, "CUDA_ERROR_INVALID_PTX"));
  EXPECT(cuGetErrorString(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
}

// When the thread's own variables are gone.
static void at_exit() {
  CUdevice device = 7;
  if (cuCtxGetDevice(&device) != CUDA_SUCCESS || device != 0) std::puts("there is no context at the end");
}

int main() {
  std::atexit(at_exit);
  before_a_context();
  contexts();
  CUcontext context = nullptr;
  EXPECT(create_context(&context, 0) == CUDA_SUCCESS);
  modules_and_launches();
  linked_sources();
  EXPECT(cuCtxDestroy(context) == CUDA_SUCCESS);
  with_the_runtime();
  functions_by_name();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
