/* Nothing of the device runtime (launches from kernels) is supported. */
#pragma once

#include <cuda_runtime.h>
