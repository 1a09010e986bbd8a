/* Numbers of bfloat16, alone and in pairs (CUDA Math API, "Bfloat16 Precision Intrinsics"). They are the upper halves
   of floats, and are computed as such; what that would round twice takes one rounding here. From sm_80 on PTX's
   instructions convert and multiply with an addition. All of it is there for older devices, too. */
#pragma once

#include <warpfork/hide_macros.h>

#define __CUDA_BF16_H__ /* NVIDIA's guard, which programs ask for */
#define __CUDA_BF16_TYPES_EXIST__

#if defined(__cplusplus)
#include <cuda_fp16.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/bfloat16/arithmetic.h>
#include <warpfork/bfloat16/comparisons.h>
#include <warpfork/bfloat16/constants.h>
#include <warpfork/bfloat16/conversions.h>
#include <warpfork/bfloat16/mathematics.h>
#include <warpfork/bfloat16/types.h>
#if defined(__CUDA__) && defined(__clang__)
#include <warpfork/bfloat16/device.h>
#endif
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
