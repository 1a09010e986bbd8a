/* The device runtime. Launches from kernels are not supported; their functions are declared for libraries that name them in
   code which they do not use. */
#pragma once

#include <cuda_runtime.h>

#if defined(__CUDA__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned shared_bytes,
                                        cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}

/* CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization"; from sm_90 on. */
static __device__ inline void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
static __device__ inline void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif
