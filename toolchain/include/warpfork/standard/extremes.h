/* The smaller and the larger of values, and what lies between. */
#pragma once

#include <warpfork/standard/language.h>

#include <functional>
#include <initializer_list>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

template <class T, class Less>
constexpr const T& min(const T& a, const T& b, Less less) {
  return less(b, a) ? b : a;
}
template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T, class Less>
constexpr const T& max(const T& a, const T& b, Less less) {
  return less(a, b) ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T, class Less>
constexpr const T& clamp(const T& value, const T& least, const T& most, Less less) {
  return less(value, least) ? least : less(most, value) ? most : value;
}
template <class T>
constexpr const T& clamp(const T& value, const T& least, const T& most) {
  return std::clamp(value, least, most, ::std::less<>());
}

template <class Iterator, class Less = ::std::less<>>
constexpr Iterator min_element(Iterator first, Iterator last, Less less = {}) {
  Iterator found = first;
  for (; first != last; ++first)
    if (less(*first, *found)) found = first;
  return found;
}
template <class Iterator, class Less = ::std::less<>>
constexpr Iterator max_element(Iterator first, Iterator last, Less less = {}) {
  Iterator found = first;
  for (; first != last; ++first)
    if (less(*found, *first)) found = first;
  return found;
}
template <class T>
constexpr T min(::std::initializer_list<T> values) {
  return *std::min_element(values.begin(), values.end());
}
template <class T>
constexpr T max(::std::initializer_list<T> values) {
  return *std::max_element(values.begin(), values.end());
}

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
