/* Operators of reductions and scans. */
#pragma once

#include <cuda_runtime.h>

WARPFORK_LINES_OF_CALLERS
namespace cub {

#define WARPFORK_OPERATOR(name, expression)                                          \
  struct name {                                                                      \
    template <class T>                                                               \
    __host__ __device__ __forceinline__ T operator()(const T& a, const T& b) const { \
      return expression;                                                             \
    }                                                                                \
  };
WARPFORK_OPERATOR(Sum, a + b)
WARPFORK_OPERATOR(Max, a < b ? b : a)
WARPFORK_OPERATOR(Min, b < a ? b : a)
#undef WARPFORK_OPERATOR

template <class Key_, class Value_>
struct KeyValuePair {
  typedef Key_ Key;
  typedef Value_ Value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& b) const { return value != b.value || key != b.key; }

  Key key;
  Value value;
};

/* The pair with the least or greatest value, of equal ones that with the least key. */
#define WARPFORK_OPERATOR(name, symbol)                                                                \
  struct name {                                                                                        \
    template <class Key, class Value>                                                                  \
    __host__ __device__ KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value>& a,         \
                                                            const KeyValuePair<Key, Value>& b) const { \
      return b.value symbol a.value || (a.value == b.value && b.key < a.key) ? b : a;                  \
    }                                                                                                  \
  };
WARPFORK_OPERATOR(ArgMin, <)
WARPFORK_OPERATOR(ArgMax, >)
#undef WARPFORK_OPERATOR

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
