/* What all of cuda/std/ begins with. Its functions are constexpr, which clang lets host and device code call alike, or
   marked for both. A type of the host's library is taken where all that it does is constexpr from C++17 on. */
#pragma once

#include <cuda_runtime.h>

#if defined(__cplusplus) && __cplusplus < 201703L
#error "<cuda/std/...> needs C++17, as with nvcc 13: compile with -std=c++17 or later"
#endif

/* Before a deduction guide, which clang 14 takes for host code's alone otherwise. */
#define WARPFORK_GUIDE __host__ __device__
