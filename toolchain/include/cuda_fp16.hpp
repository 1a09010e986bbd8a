/* Half precision comes with cuda_fp16.h. */
#pragma once

#include <cuda_fp16.h>
