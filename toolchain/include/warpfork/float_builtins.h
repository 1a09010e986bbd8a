/* Builtins of single precision as nvcc's -ftz and -prec-sqrt want them: with subnormal numbers or with zero for them,
   with exact or with approximate roots. Part of libdevice.h. */
#pragma once

#if defined(WARPFORK_FLUSH_SUBNORMALS)
#define WARPFORK_FTZ "ftz." /* in assembly, before the type */
#define WARPFORK_F32_BUILTIN(name) __nvvm_##name##_ftz_f
#define WARPFORK_F32_CONVERSION(name) __nvvm_##name##_ftz
#else
#define WARPFORK_FTZ ""
#define WARPFORK_F32_BUILTIN(name) __nvvm_##name##_f
#define WARPFORK_F32_CONVERSION(name) __nvvm_##name
#endif
/* By the type's letter. */
#define WARPFORK_BUILTIN_f(name) WARPFORK_F32_BUILTIN(name)
#define WARPFORK_BUILTIN_d(name) __nvvm_##name##_d
#if defined(WARPFORK_APPROXIMATE_ROOTS)
#define WARPFORK_SQRT_f WARPFORK_F32_BUILTIN(sqrt_approx)
#else
#define WARPFORK_SQRT_f WARPFORK_F32_BUILTIN(sqrt_rn)
#endif
#define WARPFORK_SQRT_d __nvvm_sqrt_rn_d
