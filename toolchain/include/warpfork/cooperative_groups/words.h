/* A value of any type in registers of 32 bits, which is what a warp's lanes can exchange. */
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace cooperative_groups {

/* `exchange` is what becomes of one word. */
template <class T, class Exchange>
WARPFORK_DEVICE T warpfork_exchange(const T& value, Exchange exchange) {
  static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                "lanes exchange trivially copyable values of up to 32 bytes");
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned& word : words) word = exchange(word);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

}  // namespace cooperative_groups
