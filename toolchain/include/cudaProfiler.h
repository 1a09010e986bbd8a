/* The profiler's start and stop by the driver API, at which the device's work is waited for. */
#pragma once

#include <cuda.h>

#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#if defined(__cplusplus)
}
#endif
