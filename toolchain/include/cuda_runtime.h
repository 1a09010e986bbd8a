/* What nvcc includes before every CUDA C++ source file, and `warpfork cc` too. */
#pragma once
#define __CUDA_RUNTIME_H__ /* NVIDIA's guards, which programs ask for */
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <host_defines.h>
WARPFORK_LINES_OF_CALLERS
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <vector_functions.h>

#if defined(__cplusplus)
#include <channel_descriptor.h>
#include <warpfork/runtime_templates.h>
#endif

#if defined(__CUDA__) && defined(__clang__)
#include <cuda_device_runtime_api.h>
#include <warpfork/device.h>
#endif
WARPFORK_LINES_OF_FUNCTIONS
