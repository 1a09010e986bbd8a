/* The bits of atomic objects by their size, and what is done with them: by the host's code in an order, by device code
   without one, and with the word of four bytes in which one and two lie. */
#pragma once

#include <cstdint>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

#ifdef __CUDA_ARCH__

template <class Type>
struct whole_word {
  using type = Type;
  static WARPFORK_DEVICE type load(const type* p) { return *(const volatile type*)p; }
  static WARPFORK_DEVICE void store(type* p, type v) { *(volatile type*)p = v; }
  static WARPFORK_DEVICE type exchange(type* p, type v) { return atomicExch(p, v); }
  static WARPFORK_DEVICE type compare_exchange(type* p, type c, type v) { return atomicCAS(p, c, v); }
};

template <class Type>
struct part_of_word {
  using type = Type;
  static WARPFORK_DEVICE type load(const type* p) { return *(const volatile type*)p; }
  static WARPFORK_DEVICE void store(type* p, type v) { *(volatile type*)p = v; }
  static WARPFORK_DEVICE type exchange(type* p, type v) {
    type seen = load(p);
    for (type found; (found = compare_exchange(p, seen, v)) != seen; seen = found) continue;
    return seen;
  }
  static WARPFORK_DEVICE type compare_exchange(type* p, type c, type v) {
    const uintptr_t address = (uintptr_t)p;
    unsigned* const whole = (unsigned*)(address & ~uintptr_t{3});
    const unsigned shift = (unsigned)(address & 3) * 8, mask = (unsigned)(type)~type{0} << shift;
    for (unsigned seen = *(const volatile unsigned*)whole;;) {
      const type found = (type)(seen >> shift);
      if (found != c) return found;
      const unsigned before = atomicCAS(whole, seen, (seen & ~mask) | (unsigned)v << shift);
      if (before == seen) return c;
      seen = before;
    }
  }
};

#else

template <class Type>
struct whole_word {
  using type = Type;
  static type load(const type* p, int order) { return __atomic_load_n(p, order); }
  static void store(type* p, type v, int order) { __atomic_store_n(p, v, order); }
  static type exchange(type* p, type v, int order) { return __atomic_exchange_n(p, v, order); }
  static type compare_exchange(type* p, type c, type v, int order, int failure) {
    __atomic_compare_exchange_n(p, &c, v, false, order, failure);
    return c;
  }
};

template <class Type>
using part_of_word = whole_word<Type>;

#endif

template <unsigned Bytes>
struct word;
template <>
struct word<8> : whole_word<unsigned long long> {};
template <>
struct word<4> : whole_word<unsigned> {};
template <>
struct word<2> : part_of_word<unsigned short> {};
template <>
struct word<1> : part_of_word<unsigned char> {};

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
