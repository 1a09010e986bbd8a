/* Two values of any types. The host's cannot be assigned in device code before C++20. */
#pragma once

#include <warpfork/standard/swap.h>
#include <warpfork/standard/tuple_protocol.h>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

using ::std::piecewise_construct;
using ::std::piecewise_construct_t;

template <class T, class U>
struct pair {
  using first_type = T;
  using second_type = U;

  T first;
  U second;

  constexpr pair() : first(), second() {}
  constexpr pair(const T& a, const U& b) : first(a), second(b) {}
  template <class A = T, class B = U,
            class = ::std::enable_if_t<::std::is_constructible_v<T, A> && ::std::is_constructible_v<U, B>>>
  constexpr pair(A&& a, B&& b) : first(static_cast<A&&>(a)), second(static_cast<B&&>(b)) {}
  template <class A, class B>
  constexpr pair(const pair<A, B>& other) : first(other.first), second(other.second) {}
  template <class A, class B>
  constexpr pair(pair<A, B>&& other) : first(static_cast<A&&>(other.first)), second(static_cast<B&&>(other.second)) {}
  template <class A, class B>
  constexpr pair(const ::std::pair<A, B>& other) : first(other.first), second(other.second) {}
  pair(const pair&) = default;
  pair(pair&&) = default;
  pair& operator=(const pair&) = default;
  pair& operator=(pair&&) = default;
  template <class A, class B>
  constexpr pair& operator=(const pair<A, B>& other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  template <class A, class B>
  constexpr pair& operator=(pair<A, B>&& other) {
    first = static_cast<A&&>(other.first);
    second = static_cast<B&&>(other.second);
    return *this;
  }
  constexpr void swap(pair& other) {
    std::swap(first, other.first);
    std::swap(second, other.second);
  }

  template <class A, class B>
  constexpr operator ::std::pair<A, B>() const {
    return {first, second};
  }
};
template <class T, class U>
WARPFORK_GUIDE pair(T, U) -> pair<T, U>;

template <class T, class U>
constexpr pair<::std::decay_t<T>, ::std::decay_t<U>> make_pair(T&& a, U&& b) {
  return {static_cast<T&&>(a), static_cast<U&&>(b)};
}
template <class T, class U>
constexpr void swap(pair<T, U>& a, pair<T, U>& b) {
  a.swap(b);
}

template <class T, class U>
constexpr bool operator==(const pair<T, U>& a, const pair<T, U>& b) {
  return a.first == b.first && a.second == b.second;
}
template <class T, class U>
constexpr bool operator!=(const pair<T, U>& a, const pair<T, U>& b) {
  return !(a == b);
}
template <class T, class U>
constexpr bool operator<(const pair<T, U>& a, const pair<T, U>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <class T, class U>
constexpr bool operator>(const pair<T, U>& a, const pair<T, U>& b) {
  return b < a;
}
template <class T, class U>
constexpr bool operator<=(const pair<T, U>& a, const pair<T, U>& b) {
  return !(b < a);
}
template <class T, class U>
constexpr bool operator>=(const pair<T, U>& a, const pair<T, U>& b) {
  return !(a < b);
}

template <size_t Which, class T, class U>
constexpr auto& get(pair<T, U>& of) noexcept {
  static_assert(Which < 2, "a pair has two values");
  if constexpr (Which == 0)
    return of.first;
  else
    return of.second;
}
template <size_t Which, class T, class U>
constexpr const auto& get(const pair<T, U>& of) noexcept {
  static_assert(Which < 2, "a pair has two values");
  if constexpr (Which == 0)
    return of.first;
  else
    return of.second;
}
template <size_t Which, class T, class U>
constexpr auto get(pair<T, U>&& of) noexcept -> ::std::tuple_element_t<Which, pair<T, U>>&& {
  return static_cast<::std::tuple_element_t<Which, pair<T, U>>&&>(std::get<Which>(of));
}

}  // namespace cuda::std

template <class T, class U>
struct std::tuple_size<cuda::std::pair<T, U>> : ::std::integral_constant<size_t, 2> {};
template <size_t Which, class T, class U>
struct std::tuple_element<Which, cuda::std::pair<T, U>> : ::std::conditional<Which == 0, T, U> {};
WARPFORK_LINES_OF_FUNCTIONS
