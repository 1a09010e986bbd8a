/* Calls of whatever C++ names callable. */
#pragma once

#include <type_traits>
#include <utility>

namespace nvstd {
namespace warpfork {

/* Of what C++ names callable each thing fits one of these, member pointers with an object or with what points to it. */
template <class Callable, class... Arguments>
__host__ __device__ auto invoke(Callable& callable, Arguments&&... arguments)
    -> decltype(callable(std::forward<Arguments>(arguments)...)) {
  return callable(std::forward<Arguments>(arguments)...);
}
template <class Member, class Class, class Object, class... Arguments>
__host__ __device__ auto invoke(Member Class::*member, Object&& object, Arguments&&... arguments)
    -> decltype((std::forward<Object>(object).*member)(std::forward<Arguments>(arguments)...)) {
  return (std::forward<Object>(object).*member)(std::forward<Arguments>(arguments)...);
}
template <class Member, class Class, class Object, class... Arguments>
__host__ __device__ auto invoke(Member Class::*member, Object&& object, Arguments&&... arguments)
    -> decltype(((*std::forward<Object>(object)).*member)(std::forward<Arguments>(arguments)...)) {
  return ((*std::forward<Object>(object)).*member)(std::forward<Arguments>(arguments)...);
}
template <class Member, class Class, class Object>
__host__ __device__ auto invoke(Member Class::*member, Object&& object)
    -> decltype((std::forward<Object>(object).*member)) {
  return std::forward<Object>(object).*member;
}
template <class Member, class Class, class Object>
__host__ __device__ auto invoke(Member Class::*member, Object&& object)
    -> decltype(((*std::forward<Object>(object)).*member)) {
  return (*std::forward<Object>(object)).*member;
}

/* Whether it can be called so, and gives what becomes a Result. */
template <class Result, class... Arguments>
struct fitting {
  template <class Callable,
            class Given = decltype(warpfork::invoke(std::declval<Callable&>(), std::declval<Arguments>()...))>
  static std::integral_constant<bool, std::is_void<Result>::value || std::is_convertible<Given, Result>::value> test(
      int);
  template <class Callable>
  static std::false_type test(...);
};
template <class Callable, class Result, class... Arguments>
using fits = decltype(fitting<Result, Arguments...>::template test<Callable>(0));

template <class Callable>
__host__ __device__ bool is_null(const Callable&) {
  return false;
}
template <class Pointee>
__host__ __device__ bool is_null(Pointee* pointer) {
  return pointer == nullptr;
}
template <class Member, class Class>
__host__ __device__ bool is_null(Member Class::*pointer) {
  return pointer == nullptr;
}

}  // namespace warpfork
}  // namespace nvstd
