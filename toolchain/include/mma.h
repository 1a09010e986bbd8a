/* Matrices that the threads of a warp hold together (CUDA C++ Programming Guide, "Warp Matrix Functions"): of __half,
   __nv_bfloat16, bytes, tf32 and double. Those of less than a byte are not there. */
#pragma once

#include <warpfork/hide_macros.h>

#if defined(__cplusplus) && defined(__CUDA__) && defined(__clang__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/matrices/fragment.h>
#include <warpfork/matrices/functions.h>
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
