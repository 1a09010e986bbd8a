/* Arithmetic and conversions with a rounding mode (CUDA Math API, "Type Casting Intrinsics" and those of single and
   double precision), by the compiler's builtins where they keep it: clang 14's additions and multiplications to the
   nearest become parts of fused multiply-adds, and its conversions of integers round to the nearest instead of toward
   zero. Part of libdevice.h. */
#pragma once

#define WARPFORK_EACH_ROUNDING(define) \
  define(rn, rn) define(rz, rz) define(rd, rm) define(ru, rp) /* CUDA's down and up are PTX's .rm and .rp */

#define WARPFORK_ROUNDED_ASSEMBLY(cuda, ptx)                                                                          \
  WARPFORK_ROUNDED_BINARY(f, float, WARPFORK_FTZ "f32", "f", cuda, #ptx)                                              \
  WARPFORK_ROUNDED_BINARY(d, double, "f64", "d", cuda, #ptx)                                                          \
  WARPFORK_ROUNDED_INTEGER(int2float_##cuda, float, "=f", #ptx ".f32.s32", int, "r")                                  \
  WARPFORK_ROUNDED_INTEGER(uint2float_##cuda, float, "=f", #ptx ".f32.u32", unsigned, "r")                            \
  WARPFORK_ROUNDED_INTEGER(ll2float_##cuda, float, "=f", #ptx ".f32.s64", long long, "l")                             \
  WARPFORK_ROUNDED_INTEGER(ull2float_##cuda, float, "=f", #ptx ".f32.u64", unsigned long long, "l")                   \
  WARPFORK_ROUNDED_INTEGER(ll2double_##cuda, double, "=d", #ptx ".f64.s64", long long, "l")                           \
  WARPFORK_ROUNDED_INTEGER(ull2double_##cuda, double, "=d", #ptx ".f64.u64", unsigned long long, "l")                 \
  WARPFORK_NV float __nv_fmaf_ieee_##cuda(float a, float b, float c) { /* flushes no subnormals whatever -ftz says */ \
    float result;                                                                                                     \
    asm("fma." #ptx ".f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c));                                  \
    return result;                                                                                                    \
  }
#define WARPFORK_ROUNDED_BINARY(prefix, type, ptx_type, letter, cuda, rounding)              \
  WARPFORK_ROUNDED_OPERATION(prefix##add_##cuda, type, "add." rounding "." ptx_type, letter) \
  WARPFORK_ROUNDED_OPERATION(prefix##sub_##cuda, type, "sub." rounding "." ptx_type, letter) \
  WARPFORK_ROUNDED_OPERATION(prefix##mul_##cuda, type, "mul." rounding "." ptx_type, letter)
#define WARPFORK_ROUNDED_OPERATION(name, type, instruction, letter)              \
  WARPFORK_NV type __nv_##name(type a, type b) {                                 \
    type result;                                                                 \
    asm(instruction " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b)); \
    return result;                                                               \
  }
#define WARPFORK_ROUNDED_INTEGER(name, type, to, modifiers, integer, from) \
  WARPFORK_NV type __nv_##name(integer a) {                                \
    type result;                                                           \
    asm("cvt." modifiers " %0, %1;" : to(result) : from(a));               \
    return result;                                                         \
  }
WARPFORK_EACH_ROUNDING(WARPFORK_ROUNDED_ASSEMBLY)
#undef WARPFORK_ROUNDED_INTEGER
#undef WARPFORK_ROUNDED_OPERATION
#undef WARPFORK_ROUNDED_BINARY
#undef WARPFORK_ROUNDED_ASSEMBLY

#define WARPFORK_ROUNDED(cuda, ptx)                                                                                  \
  WARPFORK_NV float __nv_fdiv_##cuda(float a, float b) { return WARPFORK_F32_BUILTIN(div_##ptx)(a, b); }             \
  WARPFORK_NV float __nv_frcp_##cuda(float a) { return WARPFORK_F32_BUILTIN(rcp_##ptx)(a); }                         \
  WARPFORK_NV float __nv_fsqrt_##cuda(float a) { return WARPFORK_F32_BUILTIN(sqrt_##ptx)(a); }                       \
  WARPFORK_NV float __nv_fmaf_##cuda(float a, float b, float c) { return WARPFORK_F32_BUILTIN(fma_##ptx)(a, b, c); } \
  WARPFORK_NV double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }                     \
  WARPFORK_NV double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                                  \
  WARPFORK_NV double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }                                \
  WARPFORK_NV double __nv_fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }         \
  WARPFORK_NV float __nv_double2float_##cuda(double a) { return WARPFORK_F32_CONVERSION(d2f_##ptx)(a); }             \
  WARPFORK_NV int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##ptx(a); }                                   \
  WARPFORK_NV unsigned __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##ptx(a); }                            \
  WARPFORK_NV long long __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##ptx(a); }                             \
  WARPFORK_NV unsigned long long __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##ptx(a); }                  \
  WARPFORK_NV int __nv_float2int_##cuda(float a) { return WARPFORK_F32_CONVERSION(f2i_##ptx)(a); }                   \
  WARPFORK_NV unsigned __nv_float2uint_##cuda(float a) { return WARPFORK_F32_CONVERSION(f2ui_##ptx)(a); }            \
  WARPFORK_NV long long __nv_float2ll_##cuda(float a) { return WARPFORK_F32_CONVERSION(f2ll_##ptx)(a); }             \
  WARPFORK_NV unsigned long long __nv_float2ull_##cuda(float a) { return WARPFORK_F32_CONVERSION(f2ull_##ptx)(a); }
WARPFORK_EACH_ROUNDING(WARPFORK_ROUNDED)
#undef WARPFORK_ROUNDED
#undef WARPFORK_EACH_ROUNDING
WARPFORK_NV double __nv_int2double_rn(int a) { return a; }
WARPFORK_NV double __nv_uint2double_rn(unsigned a) { return a; }
/* Rounded right: of all floats' results none lies closer to the middle of two floats than 2^-51.8 of it, and the double
   is wrong by less than 2^-52. */
WARPFORK_NV float __nv_frsqrt_rn(float a) { return (float)__nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(a)); }
