/* Copies from global to shared memory that a thread does not wait for: instructions from sm_80 on, before that ordinary
   copies (CUDA C++ Programming Guide, "Asynchronous Data Copies"). */
#pragma once

#include <cuda_runtime.h>
#include <warpfork/barriers/types.h>

/* `bytes` is 4, 8 or 16, to which both addresses are aligned. The last `zeros` of them are not read, but 0. */
template <unsigned bytes>
WARPFORK_DEVICE void warpfork_copy_async(void* shared, const void* global, unsigned zeros) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const size_t from = __cvta_generic_to_global(global);
  if (zeros == 0)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(from), "n"(bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(to), "l"(from), "n"(bytes), "r"(bytes - zeros)
                 : "memory");
#else
  for (unsigned i = 0; i < bytes / 4; ++i) { /* `zeros` may end within a word */
    const unsigned kept = bytes - zeros > 4 * i ? bytes - zeros - 4 * i : 0;
    unsigned word = 0;
    if (kept >= 4)
      word = static_cast<const unsigned*>(global)[i];
    else
      for (unsigned byte = 0; byte < kept; ++byte)
        word |= static_cast<unsigned>(static_cast<const unsigned char*>(global)[4 * i + byte]) << 8 * byte;
    static_cast<unsigned*>(shared)[i] = word;
  }
#endif
}

WARPFORK_DEVICE void warpfork_commit_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* Until at most the latest `groups` of the thread's committed copies are on their way. */
template <unsigned groups>
WARPFORK_DEVICE void warpfork_wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" : : "n"(groups) : "memory");
#endif
}

template <unsigned unit, class Group>
WARPFORK_DEVICE void warpfork_copy_units(const Group& group, char* to, const char* from, size_t bytes) {
  for (size_t at = size_t{group.thread_rank()} * unit; at < bytes; at += size_t{group.size()} * unit)
    warpfork_copy_async<unit>(to + at, from + at, 0);
}

/* Arrives at the barrier, where it is missing besides, when the thread's copies are there. */
WARPFORK_DEVICE void warpfork_arrive_with_copies(__mbarrier_t* barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(address) : "memory");
#endif
}

/* The group's threads copy together, without a register between global and shared memory where addresses and size allow
   it. Returns whether they do. */
template <class Group>
WARPFORK_DEVICE bool warpfork_copy(const Group& group, void* to_any, const void* from_any, size_t bytes) {
  char* const to = static_cast<char*>(to_any);
  const char* const from = static_cast<const char*>(from_any);
  const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  const bool is_asynchronous = __isShared(to) && __isGlobal(from) && alignment % 4 == 0;
  if (is_asynchronous && alignment % 16 == 0)
    warpfork_copy_units<16>(group, to, from, bytes);
  else if (is_asynchronous)
    warpfork_copy_units<4>(group, to, from, bytes);
  else
    for (size_t at = group.thread_rank(); at < bytes; at += group.size()) to[at] = from[at];
  return is_asynchronous;
}
