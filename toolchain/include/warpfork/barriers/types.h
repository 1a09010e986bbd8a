/* A barrier, and what one who arrives is given to wait by. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

WARPFORK_DEVICE uint32_t __mbarrier_maximum_count() { return (1 << 20) - 1; }
