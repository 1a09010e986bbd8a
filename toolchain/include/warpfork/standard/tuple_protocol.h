/* What makes a type one of several values: structured bindings ask ::std::tuple_size, and find get() beside the
   type. */
#pragma once

#include <warpfork/standard/language.h>

#include <cstddef>
#include <utility>

namespace cuda::std {

using ::std::tuple_element;
using ::std::tuple_element_t;
using ::std::tuple_size;
using ::std::tuple_size_v;

template <class T, class U>
struct pair;
template <class T, size_t Count>
struct array;
template <class... Types>
class tuple;

}  // namespace cuda::std
