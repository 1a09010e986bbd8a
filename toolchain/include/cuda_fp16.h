/* Half-precision numbers, alone and in pairs (CUDA Math API, "Half Precision Intrinsics"). On the device they are
   computed by PTX's half-precision instructions where it has them for sm_53, else, and on the host, as float: of sums,
   products, quotients and roots that gives the same. */
#pragma once

#include <warpfork/hide_macros.h>

#define __CUDA_FP16_H__ /* NVIDIA's guard, which programs ask for */
#define __CUDA_FP16_TYPES_EXIST__

#if defined(__cplusplus)
#include <cuda_runtime.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/half/arithmetic.h>
#include <warpfork/half/comparisons.h>
#include <warpfork/half/constants.h>
#include <warpfork/half/conversions.h>
#include <warpfork/half/mathematics.h>
#include <warpfork/half/types.h>
#if defined(__CUDA__) && defined(__clang__)
#include <warpfork/half/device.h>
#endif
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
