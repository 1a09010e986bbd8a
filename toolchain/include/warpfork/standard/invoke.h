/* A call of anything that can be called, members too, which the host's library does at compile time alone before C++20;
   and references as values. */
#pragma once

#include <warpfork/standard/language.h>

#include <type_traits>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

template <class T>
class reference_wrapper;

namespace detail {

template <class T>
inline constexpr bool is_wrapper = false;
template <class T>
inline constexpr bool is_wrapper<reference_wrapper<T>> = true;

/* The object of class `Of` that an object, a reference or a pointer stands for. */
template <class Of, class T>
constexpr decltype(auto) object_of(T&& of) {
  using type = ::std::remove_cv_t<::std::remove_reference_t<T>>;
  if constexpr (::std::is_base_of_v<Of, type>)
    return static_cast<T&&>(of);
  else if constexpr (is_wrapper<type>)
    return of.get();
  else
    return *static_cast<T&&>(of);
}
template <class Member, class Of, class Object, class... Arguments>
constexpr decltype(auto) invoke_member(Member Of::*member, Object&& object, Arguments&&... arguments) {
  if constexpr (::std::is_function_v<Member>)
    return (detail::object_of<Of>(static_cast<Object&&>(object)).*member)(static_cast<Arguments&&>(arguments)...);
  else
    return (detail::object_of<Of>(static_cast<Object&&>(object)).*member);
}

}  // namespace detail

template <class F, class... Arguments>
constexpr ::std::invoke_result_t<F, Arguments...> invoke(F&& f, Arguments&&... arguments) {
  if constexpr (::std::is_member_pointer_v<::std::decay_t<F>>)
    return detail::invoke_member(f, static_cast<Arguments&&>(arguments)...);
  else
    return static_cast<F&&>(f)(static_cast<Arguments&&>(arguments)...);
}

template <class T>
class reference_wrapper {
 public:
  using type = T;

  constexpr reference_wrapper(T& object) noexcept : object_(&object) {}
  constexpr operator T&() const noexcept { return *object_; }
  constexpr T& get() const noexcept { return *object_; }
  template <class... Arguments>
  constexpr ::std::invoke_result_t<T&, Arguments...> operator()(Arguments&&... arguments) const {
    return std::invoke(*object_, static_cast<Arguments&&>(arguments)...);
  }

 private:
  T* object_;
};
template <class T>
WARPFORK_GUIDE reference_wrapper(T&) -> reference_wrapper<T>;

template <class T>
constexpr reference_wrapper<T> ref(T& object) noexcept {
  return reference_wrapper<T>(object);
}
template <class T>
constexpr reference_wrapper<const T> cref(const T& object) noexcept {
  return reference_wrapper<const T>(object);
}

/* What make_tuple() keeps of a value: of such a reference, an ordinary one. */
namespace detail {

template <class T>
struct unwrap {
  using type = T;
};
template <class T>
struct unwrap<reference_wrapper<T>> {
  using type = T&;
};

}  // namespace detail
template <class T>
using unwrap_decay_t = typename detail::unwrap<::std::decay_t<T>>::type;

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
