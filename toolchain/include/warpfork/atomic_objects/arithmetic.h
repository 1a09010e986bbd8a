/* What is computed with atomic objects: one instruction where CUDA has it, else until nobody came between. */
#pragma once

#include <warpfork/atomic_objects/access.h>

#include <cstddef>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

/* By how much one step of `+` moves a pointer; of numbers, 1. */
template <class T>
struct step {
  using type = T;
  static constexpr long long size = 1;
};
template <class T>
struct step<T*> {
  using type = ptrdiff_t;
  static constexpr long long size = sizeof(T);
};

template <class T, thread_scope Scope>
class arithmetic {
  using object = access<T, Scope>;
  using difference = typename step<T>::type;
  static constexpr bool is_number = ::std::is_integral<T>::value || ::std::is_pointer<T>::value;
  static constexpr bool is_signed = ::std::is_signed<T>::value;

 public:
  static __host__ __device__ T add(T* p, difference by, memory_order order) {
#ifdef __CUDA_ARCH__
    if constexpr (is_number && sizeof(T) >= 4)
      return ordered(order, [=] { return (T)atomicAdd((word*)p, (word)(by * step<T>::size)); });
    else if constexpr (::std::is_same<T, float>::value)
      return ordered(order, [=] { return atomicAdd(p, by); });
    else
#endif
      return object::update(p, order, [=](T seen) { return (T)(seen + by); });
  }
  static __host__ __device__ T sub(T* p, difference by, memory_order order) { return add(p, (difference)-by, order); }

#define WARPFORK_BITWISE(name, function, sign)                                                 \
  static __host__ __device__ T name(T* p, T with, memory_order order) {                        \
    WARPFORK_IN_ONE(sizeof(T) >= 4, (T)function((word*)p, (word)with))                         \
    return object::update(p, order, [=](T seen) { return (T)(seen sign with); });              \
  }
#define WARPFORK_EXTREME(name, function, sign)                                                           \
  static __host__ __device__ T name(T* p, T with, memory_order order) {                                  \
    WARPFORK_IN_ONE(is_number && sizeof(T) >= 4, (T)function((number*)p, (number)with))                  \
    return object::update(p, order, [=](T seen) { return with sign seen ? with : seen; });               \
  }
#ifdef __CUDA_ARCH__
#define WARPFORK_IN_ONE(when, ...) \
  if constexpr (when) return ordered(order, [=] { return __VA_ARGS__; });
#else
#define WARPFORK_IN_ONE(when, ...)
#endif
  WARPFORK_BITWISE(bit_and, atomicAnd, &)
  WARPFORK_BITWISE(bit_or, atomicOr, |)
  WARPFORK_BITWISE(bit_xor, atomicXor, ^)
  WARPFORK_EXTREME(min, atomicMin, <)
  WARPFORK_EXTREME(max, atomicMax, >)
#undef WARPFORK_IN_ONE
#undef WARPFORK_EXTREME
#undef WARPFORK_BITWISE

#ifdef __CUDA_ARCH__
 private:
  using word = typename ::std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type;
  using number = typename ::std::conditional<is_signed, typename ::std::make_signed<word>::type, word>::type;

  template <class Instruction>
  static WARPFORK_DEVICE T ordered(memory_order order, Instruction instruction) {
    object::before(order);
    const T found = instruction();
    object::after(order);
    return found;
  }
#endif
};

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
