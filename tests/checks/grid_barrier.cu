// Blocks that wait for one another by the device runtime's functions, as compilers of other languages call them from
// PTX: rounds in which each block writes what it and the next one wrote in the round before. Prints PASS, or what is
// wrong.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

// to[i] = from[i] + from[i + 1], by the first thread of block i. A wait that fails ends the launch.
static const char* const kPtx = R"(
.version 6.3
.target sm_70
.address_size 64
.extern .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);

.visible .entry rounds(.param .u64 from, .param .u64 to, .param .u32 count)
{
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %nctaid.x;
  mov.u32 %r4, %tid.x;
  add.u32 %r5, %r2, 1;
  rem.u32 %r5, %r5, %r3;
  mul.wide.u32 %rd3, %r2, 4;
  mul.wide.u32 %rd4, %r5, 4;
  setp.ne.u32 %p1, %r4, 0;
  {
    .param .b32 scope;
    .param .b64 handle;
    st.param.b32 [scope], 1;
    call.uni (handle), cudaCGGetIntrinsicHandle, (scope);
    ld.param.b64 %rd5, [handle];
  }
round:
  @%p1 bra wait;
  add.u64 %rd6, %rd1, %rd3;
  add.u64 %rd7, %rd1, %rd4;
  add.u64 %rd8, %rd2, %rd3;
  ld.global.u32 %r6, [%rd6];
  ld.global.u32 %r7, [%rd7];
  add.u32 %r6, %r6, %r7;
  st.global.u32 [%rd8], %r6;
wait:
  {
    .param .b64 handle;
    .param .b32 flags, result;
    st.param.b64 [handle], %rd5;
    st.param.b32 [flags], 0;
    call.uni (result), cudaCGSynchronize, (handle, flags);
    ld.param.b32 %r8, [result];
  }
  setp.ne.u32 %p2, %r8, 0;
  @%p2 trap;
  mov.u64 %rd6, %rd1;
  mov.u64 %rd1, %rd2;
  mov.u64 %rd2, %rd6;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra round;
  ret;
}
)";

constexpr unsigned kBlocks = 20, kRounds = 6;

// With the library in which CUDA has these functions, if one is named.
static CUmodule linked(const char* library) {
  CUlinkState state = nullptr;
  void* image = nullptr;
  size_t bytes = 0;
  CUmodule module = nullptr;
  const bool works = cuLinkCreate(0, nullptr, nullptr, &state) == CUDA_SUCCESS &&
                     cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(kPtx), std::strlen(kPtx) + 1, "rounds", 0,
                                   nullptr, nullptr) == CUDA_SUCCESS &&
                     (library == nullptr ||
                      cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, library, 0, nullptr, nullptr) == CUDA_SUCCESS) &&
                     cuLinkComplete(state, &image, &bytes) == CUDA_SUCCESS &&
                     cuModuleLoadData(&module, image) == CUDA_SUCCESS;
  cuLinkDestroy(state);
  return works ? module : nullptr;
}

int main(int, char** arguments) {
  CUcontext context = nullptr;
  CUfunction rounds = nullptr;
  CUdeviceptr from = 0, to = 0;
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return std::puts("no context"), 1;
  const CUmodule module = linked(arguments[1]);
  if (module == nullptr || cuModuleGetFunction(&rounds, module, "rounds")) return std::puts("no kernel"), 1;
  std::vector<unsigned> numbers(kBlocks), next(kBlocks);
  for (unsigned i = 0; i < kBlocks; ++i) numbers[i] = i * i;
  cuMemAlloc(&from, kBlocks * sizeof(unsigned));
  cuMemAlloc(&to, kBlocks * sizeof(unsigned));
  cuMemcpyHtoD(from, numbers.data(), kBlocks * sizeof(unsigned));
  unsigned count = kRounds;
  void* parameters[] = {&from, &to, &count};
  if (cuLaunchCooperativeKernel(rounds, kBlocks, 1, 1, 40, 1, 1, 0, nullptr, parameters))
    return std::puts("no launch"), 1;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < kBlocks; ++i) next[i] = numbers[i] + numbers[(i + 1) % kBlocks];
    std::swap(numbers, next);
  }
  cuMemcpyDtoH(next.data(), from, kBlocks * sizeof(unsigned));  // where an even number of rounds left them
  std::puts(next == numbers ? "PASS" : "wrong sums");
}
