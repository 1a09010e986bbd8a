/* Room for a value that may be missing: copied as bytes where the value may be, else by the value's own functions. */
#pragma once

#include <warpfork/standard/language.h>

#include <new>
#include <type_traits>
#include <utility>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std::detail {

template <class T>
inline constexpr bool is_of_bytes = ::std::is_trivially_copyable_v<T> && ::std::is_trivially_destructible_v<T>;

template <class T, bool = is_of_bytes<T>>
struct optional_storage {
  union {
    char nothing;
    ::std::remove_cv_t<T> value;
  };
  bool is_there;

  constexpr optional_storage() noexcept : nothing(), is_there(false) {}
  template <class... Arguments>
  constexpr optional_storage(::std::in_place_t, Arguments&&... arguments)
      : value(static_cast<Arguments&&>(arguments)...), is_there(true) {}
  template <class... Arguments>
  constexpr void begin(Arguments&&... arguments) {
    value = ::std::remove_cv_t<T>(static_cast<Arguments&&>(arguments)...);
    is_there = true;
  }
  constexpr void end() noexcept { is_there = false; }
};

template <class T>
struct optional_storage<T, false> {
  union {
    char nothing;
    ::std::remove_cv_t<T> value;
  };
  bool is_there;

  __host__ __device__ optional_storage() noexcept : nothing(), is_there(false) {}
  template <class... Arguments>
  __host__ __device__ optional_storage(::std::in_place_t, Arguments&&... arguments)
      : value(static_cast<Arguments&&>(arguments)...), is_there(true) {}
  __host__ __device__ optional_storage(const optional_storage& other) : nothing(), is_there(false) {
    if (other.is_there) begin(other.value);
  }
  __host__ __device__ optional_storage(optional_storage&& other) : nothing(), is_there(false) {
    if (other.is_there) begin(static_cast<T&&>(other.value));
  }
  __host__ __device__ optional_storage& operator=(const optional_storage& other) {
    if (is_there && other.is_there)
      value = other.value;
    else if (other.is_there)
      begin(other.value);
    else
      end();
    return *this;
  }
  __host__ __device__ optional_storage& operator=(optional_storage&& other) {
    if (is_there && other.is_there)
      value = static_cast<T&&>(other.value);
    else if (other.is_there)
      begin(static_cast<T&&>(other.value));
    else
      end();
    return *this;
  }
  __host__ __device__ ~optional_storage() { end(); }

  template <class... Arguments>
  __host__ __device__ void begin(Arguments&&... arguments) {
    ::new (static_cast<void*>(&value)) T(static_cast<Arguments&&>(arguments)...);
    is_there = true;
  }
  __host__ __device__ void end() noexcept {
    if (is_there) value.~T();
    is_there = false;
  }
};

}  // namespace cuda::std::detail
WARPFORK_LINES_OF_FUNCTIONS
