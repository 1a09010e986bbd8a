/* Constants by their bits (CUDA Math API, "Half Precision Constants"). */
#pragma once

#include <warpfork/half/types.h>

#define CUDART_INF_FP16 __warpfork_half_of(0x7C00)
#define CUDART_NAN_FP16 __warpfork_half_of(0x7FFF)
#define CUDART_MIN_DENORM_FP16 __warpfork_half_of(0x0001)
#define CUDART_MAX_NORMAL_FP16 __warpfork_half_of(0x7BFF)
#define CUDART_NEG_ZERO_FP16 __warpfork_half_of(0x8000)
#define CUDART_ZERO_FP16 __warpfork_half_of(0x0000)
#define CUDART_ONE_FP16 __warpfork_half_of(0x3C00)
