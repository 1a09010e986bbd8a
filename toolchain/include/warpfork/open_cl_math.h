/* Declarations of the mathematical functions in libclc's NVPTX library (Debian's libclc-NN), under the Itanium names
   that OpenCL's overloads have there. */
#pragma once

#define WARPFORK_CL_NAME(mangled) __asm__(mangled)
#define WARPFORK_CL_ONE(length, name)                                                     \
  __device__ float warpfork_cl_##name##f(float) WARPFORK_CL_NAME("_Z" #length #name "f"); \
  __device__ double warpfork_cl_##name(double) WARPFORK_CL_NAME("_Z" #length #name "d");
#define WARPFORK_CL_TWO(length, name)                                                             \
  __device__ float warpfork_cl_##name##f(float, float) WARPFORK_CL_NAME("_Z" #length #name "ff"); \
  __device__ double warpfork_cl_##name(double, double) WARPFORK_CL_NAME("_Z" #length #name "dd");
#define WARPFORK_CL_AND_INT(length, name)                                                       \
  __device__ float warpfork_cl_##name##f(float, int) WARPFORK_CL_NAME("_Z" #length #name "fi"); \
  __device__ double warpfork_cl_##name(double, int) WARPFORK_CL_NAME("_Z" #length #name "di");
#define WARPFORK_CL_AND_POINTER(length, name, pointee_f, letter_f, pointee_d, letter_d)                          \
  __device__ float warpfork_cl_##name##f(float, pointee_f*) WARPFORK_CL_NAME("_Z" #length #name "fP" #letter_f); \
  __device__ double warpfork_cl_##name(double, pointee_d*) WARPFORK_CL_NAME("_Z" #length #name "dP" #letter_d);

extern "C" {
WARPFORK_CL_ONE(3, exp)
WARPFORK_CL_ONE(4, exp2)
WARPFORK_CL_ONE(5, exp10)
WARPFORK_CL_ONE(5, expm1)
WARPFORK_CL_ONE(3, log)
WARPFORK_CL_ONE(4, log2)
WARPFORK_CL_ONE(5, log10)
WARPFORK_CL_ONE(5, log1p)
WARPFORK_CL_ONE(4, logb)
WARPFORK_CL_ONE(4, tanh)
WARPFORK_CL_ONE(4, asin)
WARPFORK_CL_ONE(4, acos)
WARPFORK_CL_ONE(4, atan)
WARPFORK_CL_ONE(5, asinh)
WARPFORK_CL_ONE(5, acosh)
WARPFORK_CL_ONE(5, atanh)
WARPFORK_CL_ONE(5, sinpi)
WARPFORK_CL_ONE(4, cbrt)
WARPFORK_CL_ONE(3, erf)
WARPFORK_CL_ONE(4, erfc)
WARPFORK_CL_ONE(6, lgamma)
WARPFORK_CL_TWO(3, pow)
WARPFORK_CL_TWO(5, atan2)
WARPFORK_CL_TWO(5, hypot)
WARPFORK_CL_AND_INT(4, pown)
WARPFORK_CL_AND_POINTER(5, frexp, int, i, int, i)
WARPFORK_CL_AND_POINTER(4, modf, float, f, double, d)
__device__ int warpfork_cl_ilogbf(float) WARPFORK_CL_NAME("_Z5ilogbf");
__device__ int warpfork_cl_ilogb(double) WARPFORK_CL_NAME("_Z5ilogbd");
}

#undef WARPFORK_CL_ONE
#undef WARPFORK_CL_TWO
#undef WARPFORK_CL_AND_INT
#undef WARPFORK_CL_AND_POINTER
#undef WARPFORK_CL_NAME
