/* What is behind the barriers of cuda_awbarrier.h comes with cuda_awbarrier_primitives.h. */
#pragma once

#include <cuda_awbarrier_primitives.h>
