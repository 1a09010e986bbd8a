/* Numbers of eight bits, alone, in pairs and in fours (CUDA Math API, "FP8 Intrinsics"): e4m3, which has no infinity,
   and e5m2, the upper half of a half. They are stored and converted, not computed with. From sm_89 on PTX's
   instructions convert; before that, and on the host, integer arithmetic does, with the same bits. */
#pragma once

#include <warpfork/hide_macros.h>

#define __CUDA_FP8_H__ /* NVIDIA's guard, which programs ask for */
#define __CUDA_FP8_TYPES_EXIST__

#if defined(__cplusplus)
#include <cuda_bf16.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/float8/conversions.h>
#include <warpfork/float8/fours.h>
#include <warpfork/float8/numbers.h>
#include <warpfork/float8/pairs.h>
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
