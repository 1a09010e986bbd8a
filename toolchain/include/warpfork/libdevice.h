/* The device functions (__nv_...) that clang's CUDA headers expect of NVIDIA's libdevice, written on the compiler's
   PTX builtins; the common transcendental ones are in math_f32.h and math_f64.h, the others come from libclc
   (open_cl_math.h). A function that is not here is a clear error of `warpfork cc`. */
#pragma once

#include <warpfork/float_builtins.h>
#include <warpfork/math_f32.h>
#include <warpfork/math_f64.h>
#include <warpfork/open_cl_math.h>

#define WARPFORK_NV extern "C" __device__ inline __attribute__((always_inline))
/* What libclc of clang 20 and later calls itself; `warpfork cc` asks for it where it does. */
#ifdef WARPFORK_LIBCLC_CALLS
#define WARPFORK_NV_OF_LIBCLC WARPFORK_NV __attribute__((used))
#else
#define WARPFORK_NV_OF_LIBCLC WARPFORK_NV
#endif

/* Integers. */
WARPFORK_NV int __nv_abs(int a) { return a < 0 ? -a : a; }
WARPFORK_NV long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
WARPFORK_NV int __nv_min(int a, int b) { return a < b ? a : b; }
WARPFORK_NV int __nv_max(int a, int b) { return a > b ? a : b; }
WARPFORK_NV unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
WARPFORK_NV unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
WARPFORK_NV long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
WARPFORK_NV long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
WARPFORK_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WARPFORK_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WARPFORK_NV int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
WARPFORK_NV long long __nv_brevll(long long a) { return (long long)__builtin_bitreverse64((unsigned long long)a); }
WARPFORK_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
WARPFORK_NV int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
WARPFORK_NV int __nv_ffs(int a) { return __builtin_ffs(a); }
WARPFORK_NV int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
WARPFORK_NV int __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
WARPFORK_NV int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
/* Three bits a selector; PTX's fourth would replicate the sign. */
WARPFORK_NV int __nv_byte_perm(int a, int b, int c) {
  return (int)__nvvm_prmt((unsigned)a, (unsigned)b, (unsigned)c & 0x7777u);
}
WARPFORK_NV int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WARPFORK_NV unsigned __nv_umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
WARPFORK_NV int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
WARPFORK_NV unsigned __nv_umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
WARPFORK_NV long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
WARPFORK_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
WARPFORK_NV int __nv_sad(int a, int b, int c) { return __nvvm_sad_i(a, b, c); }
WARPFORK_NV unsigned __nv_usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
/* Averages without overflow: rounded down, rounded up. */
WARPFORK_NV int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WARPFORK_NV int __nv_uhadd(unsigned a, unsigned b) { return (int)((a & b) + ((a ^ b) >> 1)); }
WARPFORK_NV int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WARPFORK_NV unsigned __nv_urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

/* Bit patterns. */
WARPFORK_NV int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
WARPFORK_NV unsigned __nv_float_as_uint(float a) { return (unsigned)__builtin_bit_cast(int, a); }
WARPFORK_NV float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
WARPFORK_NV float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, (int)a); }
WARPFORK_NV unsigned long long __nv_double_as_longlong(double a) { return (unsigned long long)__builtin_bit_cast(long long, a); }
WARPFORK_NV double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
WARPFORK_NV double __nv_hiloint2double(int high, int low) { return __nvvm_lohi_i2d(low, high); }
WARPFORK_NV int __nv_double2hiint(double a) { return __nvvm_d2i_hi(a); }
WARPFORK_NV int __nv_double2loint(double a) { return __nvvm_d2i_lo(a); }

#include <warpfork/exact_functions.h>
#include <warpfork/pi_functions.h>
#include <warpfork/rounding.h>

WARPFORK_NV float __nv_saturatef(float a) { return WARPFORK_F32_BUILTIN(saturate)(a); }

/* Functions of one and two operands that PTX has as instructions. */
#define WARPFORK_INSTRUCTIONS(type, suffix, ptx)                                                                 \
  WARPFORK_NV type __nv_fabs##suffix(type a) { return __builtin_fabs##suffix(a); }                               \
  WARPFORK_NV type __nv_floor##suffix(type a) { return __builtin_floor##suffix(a); }                             \
  WARPFORK_NV type __nv_ceil##suffix(type a) { return __builtin_ceil##suffix(a); }                               \
  WARPFORK_NV type __nv_trunc##suffix(type a) { return __builtin_trunc##suffix(a); }                             \
  WARPFORK_NV type __nv_rint##suffix(type a) { return __builtin_rint##suffix(a); }                               \
  WARPFORK_NV type __nv_nearbyint##suffix(type a) { return __builtin_rint##suffix(a); }                          \
  WARPFORK_NV_OF_LIBCLC type __nv_sqrt##suffix(type a) { return WARPFORK_SQRT_##ptx(a); }                                  \
  WARPFORK_NV_OF_LIBCLC type __nv_rsqrt##suffix(type a) { return WARPFORK_BUILTIN_##ptx(rsqrt_approx)(a); }                \
  WARPFORK_NV type __nv_fma##suffix(type a, type b, type c) { return __builtin_fma##suffix(a, b, c); }           \
  WARPFORK_NV type __nv_fmin##suffix(type a, type b) { return WARPFORK_BUILTIN_##ptx(fmin)(a, b); }              \
  WARPFORK_NV type __nv_fmax##suffix(type a, type b) { return WARPFORK_BUILTIN_##ptx(fmax)(a, b); }              \
  WARPFORK_NV type __nv_fdim##suffix(type a, type b) {                                                           \
    const type difference = __nv_##ptx##sub_rn(a, b);                                                            \
    return a <= b ? 0 : difference;                                                                              \
  }                                                                                                              \
  WARPFORK_NV type __nv_round##suffix(type a) { /* up to the next number if there is a half; 2^23 + 0.5 stays */ \
    return __builtin_trunc##suffix(__nv_##ptx##add_rz(a, __builtin_copysign##suffix((type)0.5, a)));             \
  }                                                                                                              \
  WARPFORK_NV long long __nv_llrint##suffix(type a) { return (long long)__builtin_rint##suffix(a); }             \
  WARPFORK_NV long long __nv_llround##suffix(type a) { return (long long)__nv_round##suffix(a); }
WARPFORK_NV float __nv_cbrtf(float a) { return warpfork_cl_cbrtf(a); }
WARPFORK_NV double __nv_cbrt(double a) { return warpfork_cl_cbrt(a); }
WARPFORK_NV float __nv_hypotf(float a, float b) { return warpfork_cl_hypotf(a, b); }
WARPFORK_NV double __nv_hypot(double a, double b) { return warpfork_cl_hypot(a, b); }
WARPFORK_INSTRUCTIONS(float, f, f)
WARPFORK_INSTRUCTIONS(double, , d)
#undef WARPFORK_INSTRUCTIONS

/* Classification. */
WARPFORK_NV int __nv_isnanf(float a) { return a != a; }
WARPFORK_NV int __nv_isnand(double a) { return a != a; }
WARPFORK_NV_OF_LIBCLC int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
WARPFORK_NV_OF_LIBCLC int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
WARPFORK_NV int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
WARPFORK_NV int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
WARPFORK_NV int __nv_signbitf(float a) { return __builtin_bit_cast(int, a) < 0; }
WARPFORK_NV int __nv_signbitd(double a) { return __builtin_bit_cast(long long, a) < 0; }

/* The fast, inexact functions: one or two special-function instructions (CUDA C++ Programming Guide, "Intrinsic
   Functions"). */
#define WARPFORK_LOG2_E 1.44269504f
#define WARPFORK_LN_2 0.693147181f
#define WARPFORK_LOG2_10 3.32192809f
#define WARPFORK_LOG10_2 0.301029996f
WARPFORK_NV float __nv_fast_sinf(float a) { return WARPFORK_F32_BUILTIN(sin_approx)(a); }
WARPFORK_NV float __nv_fast_cosf(float a) { return WARPFORK_F32_BUILTIN(cos_approx)(a); }
WARPFORK_NV float __nv_fast_tanf(float a) {
  return WARPFORK_F32_BUILTIN(div_approx)(WARPFORK_F32_BUILTIN(sin_approx)(a), WARPFORK_F32_BUILTIN(cos_approx)(a));
}
WARPFORK_NV void __nv_fast_sincosf(float a, float* sine, float* cosine) {
  *sine = WARPFORK_F32_BUILTIN(sin_approx)(a);
  *cosine = WARPFORK_F32_BUILTIN(cos_approx)(a);
}
WARPFORK_NV float __nv_fast_expf(float a) { return WARPFORK_F32_BUILTIN(ex2_approx)(a * WARPFORK_LOG2_E); }
WARPFORK_NV float __nv_fast_exp10f(float a) { return WARPFORK_F32_BUILTIN(ex2_approx)(a * WARPFORK_LOG2_10); }
WARPFORK_NV float __nv_fast_log2f(float a) { return WARPFORK_F32_BUILTIN(lg2_approx)(a); }
WARPFORK_NV float __nv_fast_logf(float a) { return WARPFORK_F32_BUILTIN(lg2_approx)(a) * WARPFORK_LN_2; }
WARPFORK_NV float __nv_fast_log10f(float a) { return WARPFORK_F32_BUILTIN(lg2_approx)(a) * WARPFORK_LOG10_2; }
WARPFORK_NV float __nv_fast_powf(float a, float b) {
  return WARPFORK_F32_BUILTIN(ex2_approx)(b * WARPFORK_F32_BUILTIN(lg2_approx)(a));
}
/* An instruction from sm_75 on. */
WARPFORK_NV float __nv_fast_tanhf(float a) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return warpfork_tanhf(a);
#endif
}
WARPFORK_NV float __nv_fast_fdividef(float a, float b) { return WARPFORK_F32_BUILTIN(div_approx)(a, b); }

/* From math_f32.h and math_f64.h, or of -use_fast_math the fast ones; clang itself takes those of sinf, cosf, sincosf,
   logf and log2f. */
#define WARPFORK_OWN(name) \
  WARPFORK_NV float __nv_##name##f(float a) { return warpfork_##name##f(a); }
#if defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
#define WARPFORK_OWN_OR_FAST(name) \
  WARPFORK_NV float __nv_##name##f(float a) { return __nv_fast_##name##f(a); }
#else
#define WARPFORK_OWN_OR_FAST(name) WARPFORK_OWN(name)
#endif
WARPFORK_OWN_OR_FAST(exp)
WARPFORK_OWN(exp2)
WARPFORK_OWN_OR_FAST(exp10)
WARPFORK_NV_OF_LIBCLC float __nv_logf(float a) { return warpfork_logf(a); }
WARPFORK_OWN(log2)
WARPFORK_OWN_OR_FAST(log10)
WARPFORK_OWN(sin)
WARPFORK_OWN(cos)
WARPFORK_OWN_OR_FAST(tan)
WARPFORK_OWN_OR_FAST(tanh)
WARPFORK_OWN(sinh)
WARPFORK_OWN(cosh)
#undef WARPFORK_OWN_OR_FAST
#undef WARPFORK_OWN
WARPFORK_NV double __nv_sin(double a) { return warpfork_sin(a); }
WARPFORK_NV_OF_LIBCLC double __nv_log(double a) { return warpfork_log(a); }
WARPFORK_NV double __nv_cos(double a) { return warpfork_cos(a); }
WARPFORK_NV double __nv_tan(double a) { return warpfork_tan(a); }
WARPFORK_NV double __nv_sinh(double a) { return warpfork_sinh(a); }
WARPFORK_NV double __nv_cosh(double a) { return warpfork_cosh(a); }
WARPFORK_NV void __nv_sincosf(float a, float* sine, float* cosine) {
  *sine = warpfork_sinf(a);
  *cosine = warpfork_cosf(a);
}

/* From libclc. */
#define WARPFORK_CL_F32(name) \
  WARPFORK_NV float __nv_##name##f(float a) { return warpfork_cl_##name##f(a); }
#define WARPFORK_CL_F64(name) \
  WARPFORK_NV double __nv_##name(double a) { return warpfork_cl_##name(a); }
#define WARPFORK_CL_BOTH(name) WARPFORK_CL_F32(name) WARPFORK_CL_F64(name)
WARPFORK_CL_F64(exp)
WARPFORK_CL_F64(exp2)
WARPFORK_CL_F64(exp10)
WARPFORK_CL_F64(log2)
WARPFORK_CL_F64(log10)
WARPFORK_CL_F64(tanh)
WARPFORK_CL_F32(expm1)
WARPFORK_CL_BOTH(log1p)
WARPFORK_CL_BOTH(logb)
WARPFORK_CL_BOTH(asin)
WARPFORK_CL_BOTH(acos)
WARPFORK_CL_F32(atan)
WARPFORK_CL_BOTH(asinh) WARPFORK_CL_BOTH(acosh) WARPFORK_CL_BOTH(atanh) WARPFORK_CL_F32(erf)
#undef WARPFORK_CL_F32
#undef WARPFORK_CL_F64
#undef WARPFORK_CL_BOTH
#define WARPFORK_CL_TWO(name)                                                                \
  WARPFORK_NV float __nv_##name##f(float a, float b) { return warpfork_cl_##name##f(a, b); } \
  WARPFORK_NV double __nv_##name(double a, double b) { return warpfork_cl_##name(a, b); }
    WARPFORK_CL_TWO(atan2)
#undef WARPFORK_CL_TWO
        WARPFORK_NV float __nv_powif(float a, int b) {
  return warpfork_cl_pownf(a, b);
}
WARPFORK_NV double __nv_pow(double a, double b) { return warpfork_cl_pow(a, b); }
#if defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
WARPFORK_NV float __nv_powf(float a, float b) { return __nv_fast_powf(a, b); }
#else
WARPFORK_NV float __nv_powf(float a, float b) { return warpfork_cl_powf(a, b); }
#endif
WARPFORK_NV double __nv_powi(double a, int b) { return warpfork_cl_pown(a, b); }
WARPFORK_NV float __nv_frexpf(float a, int* e) { return warpfork_cl_frexpf(a, e); }
WARPFORK_NV double __nv_frexp(double a, int* e) { return warpfork_cl_frexp(a, e); }
WARPFORK_NV float __nv_modff(float a, float* whole) { return warpfork_cl_modff(a, whole); }
WARPFORK_NV double __nv_modf(double a, double* whole) { return warpfork_cl_modf(a, whole); }
WARPFORK_NV void __nv_sincos(double a, double* sine, double* cosine) {
  *sine = warpfork_sin(a);
  *cosine = warpfork_cos(a);
}

/* -0 of -0, which those of libclc make 0. */
#define WARPFORK_KEEPS_ZERO(name) \
  WARPFORK_NV double __nv_##name(double a) { return a == 0 ? a : warpfork_cl_##name(a); }
WARPFORK_KEEPS_ZERO(atan)
WARPFORK_KEEPS_ZERO(erf)
WARPFORK_KEEPS_ZERO(expm1)
#undef WARPFORK_KEEPS_ZERO

#include <warpfork/bessel_functions.h>
#include <warpfork/error_functions.h>
#include <warpfork/norms.h>
#include <warpfork/special_functions.h>
