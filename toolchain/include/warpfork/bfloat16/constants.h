/* Constants by their bits (CUDA Math API, "Bfloat16 Precision Constants"). */
#pragma once

#include <warpfork/bfloat16/types.h>

#define CUDART_INF_BF16 __warpfork_bfloat16_of(0x7F80)
#define CUDART_NAN_BF16 __warpfork_bfloat16_of(0x7FFF)
#define CUDART_MIN_DENORM_BF16 __warpfork_bfloat16_of(0x0001)
#define CUDART_MAX_NORMAL_BF16 __warpfork_bfloat16_of(0x7F7F)
#define CUDART_NEG_ZERO_BF16 __warpfork_bfloat16_of(0x8000)
#define CUDART_ZERO_BF16 __warpfork_bfloat16_of(0x0000)
#define CUDART_ONE_BF16 __warpfork_bfloat16_of(0x3F80)
