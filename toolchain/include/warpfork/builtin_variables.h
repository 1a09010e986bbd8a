/* threadIdx, blockIdx, blockDim, gridDim and warpSize, in the place of clang's, which cannot be copied: `auto t = threadIdx`
   and a template's parameter are copies. A copy reads the special registers as the variable does. */
#pragma once
#define __CUDA_BUILTIN_VARS_H /* clang's guard */

#define WARPFORK_FIELD(name, builtin)                                                                            \
  __declspec(property(get = __fetch_builtin_##name)) unsigned int name;                                          \
  static inline __attribute__((always_inline)) __attribute__((device)) unsigned int __fetch_builtin_##name() { \
    return builtin;                                                                                              \
  }
/* A register has no address, and nothing can be written to it. */
#define WARPFORK_VARIABLE(variable, registers)                                                        \
  struct __cuda_builtin_##variable##_t {                                                              \
    WARPFORK_FIELD(x, __nvvm_read_ptx_sreg_##registers##_x());                                        \
    WARPFORK_FIELD(y, __nvvm_read_ptx_sreg_##registers##_y());                                        \
    WARPFORK_FIELD(z, __nvvm_read_ptx_sreg_##registers##_z());                                        \
    __cuda_builtin_##variable##_t(const __cuda_builtin_##variable##_t&) = default;                    \
    __attribute__((device)) operator dim3() const { return dim3(x, y, z); }                           \
    __attribute__((device)) operator uint3() const { return {x, y, z}; }                              \
    __attribute__((device)) void operator=(const __cuda_builtin_##variable##_t&) const = delete;      \
    __attribute__((device)) __cuda_builtin_##variable##_t* operator&() const = delete;                \
  };                                                                                                  \
  extern const __attribute__((device)) __attribute__((weak)) __cuda_builtin_##variable##_t variable;
WARPFORK_VARIABLE(threadIdx, tid)
WARPFORK_VARIABLE(blockIdx, ctaid)
WARPFORK_VARIABLE(blockDim, ntid)
WARPFORK_VARIABLE(gridDim, nctaid)
#undef WARPFORK_VARIABLE
#undef WARPFORK_FIELD

__attribute__((device)) const int warpSize = 32;
