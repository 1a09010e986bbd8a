/* The values of a tuple: each in a base of its own, numbered, so that those of one type are told apart. */
#pragma once

#include <warpfork/standard/tuple_protocol.h>

#include <type_traits>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std::detail {

template <size_t Which, class T>
struct tuple_element_base {
  T value;

  constexpr tuple_element_base() : value() {}
  template <class U>
  constexpr tuple_element_base(int, U&& of) : value(static_cast<U&&>(of)) {}
};

template <class Numbers, class... Types>
struct tuple_elements;
template <size_t... Which, class... Types>
struct tuple_elements<::std::index_sequence<Which...>, Types...> : tuple_element_base<Which, Types>... {
  constexpr tuple_elements() = default;
  template <class... Values>
  constexpr tuple_elements(int, Values&&... values)
      : tuple_element_base<Which, Types>(0, static_cast<Values&&>(values))... {}
};

template <size_t Which, class T>
constexpr T& value_of(tuple_element_base<Which, T>& of) {
  return of.value;
}
template <size_t Which, class T>
constexpr const T& value_of(const tuple_element_base<Which, T>& of) {
  return of.value;
}

/* The type of that number. */
template <size_t Which, class T>
::std::enable_if<true, T> type_of(const tuple_element_base<Which, T>&);
template <size_t Which, class Elements>
using type_at = typename decltype(type_of<Which>(::std::declval<const Elements&>()))::type;

/* How many of the types are this one, and which is the first of them. */
template <class T, class... Types>
inline constexpr size_t count_of = (size_t{0} + ... + size_t{::std::is_same_v<T, Types>});
template <class T, class... Types>
constexpr size_t place_of() {
  size_t place = 0;
  (void)((::std::is_same_v<T, Types> || (++place, false)) || ...);
  return place;
}

}  // namespace cuda::std::detail
WARPFORK_LINES_OF_FUNCTIONS
