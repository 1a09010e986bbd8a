/* Values exchanged, which the host's library does at compile time alone from C++20 on. */
#pragma once

#include <warpfork/standard/language.h>

#include <cstddef>
#include <type_traits>
#include <utility>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

template <class T>
constexpr ::std::enable_if_t<::std::is_move_constructible_v<T> && ::std::is_move_assignable_v<T>> swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
template <class T, size_t Count>
constexpr void swap(T (&a)[Count], T (&b)[Count]) {
  for (size_t i = 0; i < Count; ++i) swap(a[i], b[i]);
}

template <class T, class U = T>
constexpr T exchange(T& object, U&& value) {
  T kept = static_cast<T&&>(object);
  object = static_cast<U&&>(value);
  return kept;
}

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
