/* Random numbers in kernels (cuRAND Library, "Device API Overview"): the generators XORWOW, Philox4x32-10 and MRG32k3a
   with uniform, normal, log-normal and Poisson distribution. The numbers are cuRAND's. Not provided: Sobol's sequences,
   MTGP32 and tables of discrete distributions. */
#pragma once

#include <warpfork/hide_macros.h>

#define CURAND_KERNEL_H_ /* NVIDIA's guard, which programs ask for */

#include <host_defines.h>
WARPFORK_LINES_OF_CALLERS
#include <warpfork/random/state.h>
#if defined(__CUDA__) && defined(__clang__)
#include <warpfork/random/poisson.h>
#endif
WARPFORK_LINES_OF_FUNCTIONS

#include <warpfork/show_macros.h>
