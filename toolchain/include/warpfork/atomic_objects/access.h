/* Accesses to an object of any type without pointers and destructors of its own, of 1, 2, 4 or 8 bytes, by all threads at
   once. Device code has fences around an access that is ordered, as code for devices before sm_70 has. */
#pragma once

#include <warpfork/atomic_objects/order.h>
#include <warpfork/atomic_objects/words.h>

#include <cstring>
#include <type_traits>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

template <class T>
inline constexpr bool may_be_atomic = ::std::is_trivially_copyable<T>::value &&
                                      (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

template <class T, thread_scope Scope>
class access {
  static_assert(may_be_atomic<T>, "an atomic object has 1, 2, 4 or 8 bytes, which may be copied as such");
  using word = detail::word<sizeof(T)>;
  using bits = typename word::type;

 public:
  static __host__ __device__ T load(const T* p, memory_order order) {
#ifdef __CUDA_ARCH__
    if (order == memory_order_seq_cst) atomic_thread_fence(order, Scope);
    const bits found = word::load((const bits*)p);
    after(order);
#else
    const bits found = word::load((const bits*)p, order);
#endif
    return value_of(found);
  }
  static __host__ __device__ void store(T* p, T value, memory_order order) {
#ifdef __CUDA_ARCH__
    before(order);
    word::store((bits*)p, bits_of(value));
#else
    word::store((bits*)p, bits_of(value), order);
#endif
  }
  static __host__ __device__ T exchange(T* p, T value, memory_order order) {
#ifdef __CUDA_ARCH__
    before(order);
    const bits found = word::exchange((bits*)p, bits_of(value));
    after(order);
#else
    const bits found = word::exchange((bits*)p, bits_of(value), order);
#endif
    return value_of(found);
  }
  /* If it is not `expected`, which is what is found then. */
  static __host__ __device__ bool compare_exchange(T* p, T& expected, T value, memory_order order,
                                                   memory_order failure) {
    const bits seen = bits_of(expected);
#ifdef __CUDA_ARCH__
    before(order);
    const bits found = word::compare_exchange((bits*)p, seen, bits_of(value));
    after(found == seen ? order : failure);
#else
    const bits found = word::compare_exchange((bits*)p, seen, bits_of(value), order, failure);
#endif
    expected = value_of(found);
    return found == seen;
  }
  /* Whether two values have the same bits. */
  static __host__ __device__ bool are_same(T a, T b) { return bits_of(a) == bits_of(b); }
  /* It becomes change(what it was), which may be asked more than once. Returns what it was. */
  template <class Change>
  static __host__ __device__ T update(T* p, memory_order order, Change change) {
    T seen = load(p, memory_order_relaxed);
    while (!compare_exchange(p, seen, change(seen), order, memory_order_relaxed)) continue;
    return seen;
  }

#ifdef __CUDA_ARCH__
  /* Around an instruction that does it all. */
  static WARPFORK_DEVICE void before(memory_order order) {
    if (order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst)
      atomic_thread_fence(order, Scope);
  }
  static WARPFORK_DEVICE void after(memory_order order) {
    if (order != memory_order_relaxed && order != memory_order_release) atomic_thread_fence(order, Scope);
  }
#endif

 private:
  static __host__ __device__ bits bits_of(T value) {
    bits made;
    memcpy(&made, &value, sizeof made);
    return made;
  }
  static __host__ __device__ T value_of(bits word) {
    T made;
    memcpy(&made, &word, sizeof made);
    return made;
  }
};

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
