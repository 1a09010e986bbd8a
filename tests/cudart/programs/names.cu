// What nvcc provides before the first line of a program: names of C's headers, guards that NVIDIA's samples test, its
// own names, and descriptions of textures. Includes nothing but the text below's printf.
#include <cstdio>

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) ||         \
    !defined(__VECTOR_TYPES_H__) || !defined(__VECTOR_FUNCTIONS_H__) || !defined(__HOST_DEFINES_H__) ||         \
    !defined(__DRIVER_FUNCTIONS_H__) || !defined(__CHANNEL_DESCRIPTOR_H__) || !defined(__MATH_FUNCTIONS_H__) || \
    !defined(__DEVICE_FUNCTIONS_H__) || !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || !defined(__CUDACC_VER_MAJOR__)
#error a guard is missing
#endif

#if __NVCC__ != 1 || __CUDA_ARCH_LIST__ < 700 || !defined(__CUDACC_VER_BUILD__) || \
    !defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#error a name of the compiler's is missing
#endif

__global__ void cycles(long long* out) { *out = clock64() - clock(); }
__global__ void sines(float* out) {
  sincos(out[0], out, out + 1);
  sincospi(out[2], out + 2, out + 3);
}

__inline_hint__ static bool names_of_c() {
  const clock_t start = clock();
  const time_t now = time(NULL);
  char text[8];
  strcpy(text, "warp");
  int one = 1, two = 2;
  std::swap(one, two);
  return strlen(text) == 4 && clock() >= start && now > 0 && isnan(nanf("")) && INT_MAX > 0 && std::move(one) == 2 &&
         sqrtf(4.0f) == 2 && abs(-3) == 3;
}

static bool is(cudaChannelFormatDesc channel, int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return channel.x == x && channel.y == y && channel.z == z && channel.w == w && channel.f == kind;
}

/// CUDA Runtime API, "C++ API Routines": bits of each component of a texel of the type.
static bool channels() {
  return is(cudaCreateChannelDesc<float>(), 32, 0, 0, 0, cudaChannelFormatKindFloat) &&
         is(cudaCreateChannelDesc<uchar4>(), 8, 8, 8, 8, cudaChannelFormatKindUnsigned) &&
         is(cudaCreateChannelDesc<short2>(), 16, 16, 0, 0, cudaChannelFormatKindSigned) &&
         is(cudaCreateChannelDesc<dim3>(), 0, 0, 0, 0, cudaChannelFormatKindNone) &&
         is(cudaCreateChannelDesc(5, 6, 5, 0, cudaChannelFormatKindUnsigned), 5, 6, 5, 0,
            cudaChannelFormatKindUnsigned);
}

int main() { std::puts(names_of_c() && channels() && make_cudaExtent(1, 2, 3).depth == 3 ? "PASS" : "FAIL"); }
