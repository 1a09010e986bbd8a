/* cuda::atomic and cuda::atomic_ref. */
#pragma once

#include <warpfork/atomic_objects/arithmetic.h>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

/* What failed compares are ordered by where only one order is said. */
constexpr __host__ __device__ memory_order of_failure(memory_order order) {
  return order == memory_order_acq_rel   ? memory_order_acquire
         : order == memory_order_release ? memory_order_relaxed
                                         : order;
}

/* Of an object or reference `Of`, which says where the value lies by address(). */
template <class Of, class T, thread_scope Scope>
class atomic_functions {
  using object = access<T, Scope>;
  using computed = arithmetic<T, Scope>;
  using difference = typename step<T>::type;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  __host__ __device__ bool is_lock_free() const { return true; }

  __host__ __device__ T load(memory_order order = memory_order_seq_cst) const { return object::load(p(), order); }
  __host__ __device__ operator T() const { return load(); }
  __host__ __device__ void store(T value, memory_order order = memory_order_seq_cst) const {
    object::store(p(), value, order);
  }
  __host__ __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const {
    return object::exchange(p(), value, order);
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T value, memory_order order,
                                                   memory_order failure) const {
    return object::compare_exchange(p(), expected, value, order, failure);
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T value,
                                                   memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order, of_failure(order));
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T value, memory_order order,
                                                 memory_order failure) const {
    return compare_exchange_strong(expected, value, order, failure);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T value,
                                                 memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }

  /* Until it is something else. */
  __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (object::are_same(load(order), old)) continue;
  }
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}

#define WARPFORK_FETCH(name, function, type)                                                          \
  __host__ __device__ T name(type with, memory_order order = memory_order_seq_cst) const {            \
    return computed::function(p(), with, order);                                                      \
  }
  WARPFORK_FETCH(fetch_add, add, difference)
  WARPFORK_FETCH(fetch_sub, sub, difference)
  WARPFORK_FETCH(fetch_and, bit_and, T)
  WARPFORK_FETCH(fetch_or, bit_or, T)
  WARPFORK_FETCH(fetch_xor, bit_xor, T)
  WARPFORK_FETCH(fetch_min, min, T)
  WARPFORK_FETCH(fetch_max, max, T)
#undef WARPFORK_FETCH

  __host__ __device__ T operator++(int) const { return fetch_add(1); }
  __host__ __device__ T operator--(int) const { return fetch_sub(1); }
  __host__ __device__ T operator++() const { return fetch_add(1) + 1; }
  __host__ __device__ T operator--() const { return fetch_sub(1) - 1; }
  __host__ __device__ T operator+=(difference by) const { return fetch_add(by) + by; }
  __host__ __device__ T operator-=(difference by) const { return fetch_sub(by) - by; }
  __host__ __device__ T operator&=(T with) const { return fetch_and(with) & with; }
  __host__ __device__ T operator|=(T with) const { return fetch_or(with) | with; }
  __host__ __device__ T operator^=(T with) const { return fetch_xor(with) ^ with; }

 private:
  __host__ __device__ T* p() const { return static_cast<const Of*>(this)->address(); }
};

}  // namespace detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public detail::atomic_functions<atomic<T, Scope>, T, Scope> {
  static_assert(detail::may_be_atomic<T>, "an atomic object has 1, 2, 4 or 8 bytes, which may be copied as such");

 public:
  atomic() = default;
  constexpr __host__ __device__ atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __host__ __device__ T operator=(T value) {
    this->store(value);
    return value;
  }

 private:
  __host__ __device__ T* address() const { return const_cast<T*>(&value_); }

  alignas(detail::may_be_atomic<T> ? sizeof(T) : alignof(T)) T value_;
  friend class detail::atomic_functions<atomic, T, Scope>;
};

/* To an object that is accessed by such references alone as long as there are any. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::atomic_functions<atomic_ref<T, Scope>, T, Scope> {
 public:
  static constexpr size_t required_alignment = sizeof(T);

  explicit __host__ __device__ atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  __host__ __device__ T operator=(T value) const {
    this->store(value);
    return value;
  }

 private:
  __host__ __device__ T* address() const { return object_; }

  T* object_;
  friend class detail::atomic_functions<atomic_ref, T, Scope>;
};

namespace std {

template <class T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;

}  // namespace std
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
