/* Bytes in reverse, on the host, too; what profilers count; and whether a parameter of a kernel is read where it lies. */
#pragma once

static __host__ __device__ inline unsigned short __nv_bswap16(unsigned short value) {
  return __builtin_bswap16(value);
}
static __host__ __device__ inline unsigned int __nv_bswap32(unsigned int value) { return __builtin_bswap32(value); }
static __host__ __device__ inline unsigned long long __nv_bswap64(unsigned long long value) {
  return __builtin_bswap64(value);
}

/* A macro, as the counter's number must be a constant; a simulated profiler counts none. */
#define __prof_trigger(counter) asm volatile("pmevent %0;" ::"n"(counter))

/* Never: a __grid_constant__ parameter is a copy here (host_defines.h), which has no address of such an object. */
static __device__ inline unsigned int __isGridConstant(const void*) { return 0; }
