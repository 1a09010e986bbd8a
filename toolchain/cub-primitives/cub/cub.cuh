/* What of CUB kernels use most: reductions and scans of a warp and of a block (CUB, "Warp-Wide Primitives" and
   "Block-Wide Primitives"). Values are combined in the order of CUB's warp reductions and BLOCK_SCAN_WARP_SCANS,
   whichever algorithm is asked for: by another one sums of floats may differ in their last bits. Not provided: what
   sorts, exchanges, loads and stores, and all that works on a whole device. */
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#if defined(__CUDA__) && defined(__clang__)
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#endif
