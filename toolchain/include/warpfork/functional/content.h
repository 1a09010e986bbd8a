/* Where a function keeps what it calls. */
#pragma once

#include <new>
#include <type_traits>
#include <utility>

namespace nvstd {
namespace warpfork {

/* A small object itself, or where the other one is. */
union storage {
  void* elsewhere;
  alignas(16) unsigned char bytes[32];
};

/* Small objects stay in place if they move without exceptions, as functions do. */
template <class Callable>
struct is_small
    : std::integral_constant<bool, sizeof(Callable) <= sizeof(storage) && alignof(Callable) <= alignof(storage) &&
                                       std::is_nothrow_move_constructible<Callable>::value> {};

/* What is done with an object. Where it was moved from there is none. */
template <class Callable, bool in_place = is_small<Callable>::value>
struct content {
  static __host__ __device__ Callable& of(storage& place) { return *reinterpret_cast<Callable*>(place.bytes); }
  static __host__ __device__ void make(storage& place, Callable&& from) { new (place.bytes) Callable(std::move(from)); }
  static __host__ __device__ void copy(storage& to, storage& from) { new (to.bytes) Callable(of(from)); }
  static __host__ __device__ void move(storage& to, storage& from) {
    make(to, std::move(of(from)));
    destroy(from);
  }
  static __host__ __device__ void destroy(storage& place) { of(place).~Callable(); }
};
template <class Callable>
struct content<Callable, false> {
  static __host__ __device__ Callable& of(storage& place) { return *static_cast<Callable*>(place.elsewhere); }
  static __host__ __device__ void make(storage& place, Callable&& from) {
    place.elsewhere = new Callable(std::move(from));
  }
  static __host__ __device__ void copy(storage& to, storage& from) { to.elsewhere = new Callable(of(from)); }
  static __host__ __device__ void move(storage& to, storage& from) { to.elsewhere = from.elsewhere; }
  static __host__ __device__ void destroy(storage& place) { delete &of(place); }
};

enum class deed { copy, move, destroy };

}  // namespace warpfork
}  // namespace nvstd
