/* What std::function is, in kernels, too. An object is called where it was made: it holds addresses of functions, which
   the host and the device have of their own. */
#pragma once

#include <warpfork/functional/callable.h>
#include <warpfork/functional/content.h>

#include <cstddef>
#include <cstdlib>
#include <functional>

namespace nvstd {

template <class Signature>
class function;

template <class Result, class... Arguments>
class function<Result(Arguments...)> {
  template <class Given, class Callable = typename std::decay<Given>::type>
  using if_it_fits = typename std::enable_if<!std::is_same<Callable, function>::value &&
                                             warpfork::fits<Callable, Result, Arguments...>::value>::type;

 public:
  typedef Result result_type;

  __host__ __device__ function() noexcept {}
  __host__ __device__ function(std::nullptr_t) noexcept {}
  __host__ __device__ function(const function& other) : call_(other.call_), manage_(other.manage_) {
    if (manage_ != nullptr) manage_(warpfork::deed::copy, storage_, other.storage_);
  }
  __host__ __device__ function(function&& other) noexcept { take(other); }
  template <class Callable, class = if_it_fits<Callable>>
  __host__ __device__ function(Callable callable) {
    if (warpfork::is_null(callable)) return;
    warpfork::content<Callable>::make(storage_, std::move(callable));
    call_ = call<Callable>;
    manage_ = manage<Callable>;
  }
  __host__ __device__ ~function() { *this = nullptr; }

  __host__ __device__ function& operator=(const function& other) {
    function(other).swap(*this);
    return *this;
  }
  __host__ __device__ function& operator=(function&& other) noexcept {
    function(std::move(other)).swap(*this);
    return *this;
  }
  __host__ __device__ function& operator=(std::nullptr_t) noexcept {
    if (manage_ != nullptr) manage_(warpfork::deed::destroy, storage_, storage_);
    call_ = nullptr;
    manage_ = nullptr;
    return *this;
  }
  template <class Callable, class = if_it_fits<Callable>>
  __host__ __device__ function& operator=(Callable&& callable) {
    function(std::forward<Callable>(callable)).swap(*this);
    return *this;
  }

  __host__ __device__ void swap(function& other) noexcept {
    function kept(std::move(other));
    other.take(*this);
    take(kept);
  }

  __host__ __device__ explicit operator bool() const noexcept { return call_ != nullptr; }

  __host__ __device__ Result operator()(Arguments... arguments) const {
    if (call_ == nullptr) be_empty();
    return call_(storage_, std::forward<Arguments>(arguments)...);
  }

 private:
  template <class Callable>
  static __host__ __device__ Result call(warpfork::storage& place, Arguments&&... arguments) {
    return static_cast<Result>(
        warpfork::invoke(warpfork::content<Callable>::of(place), std::forward<Arguments>(arguments)...));
  }
  template <class Callable>
  static __host__ __device__ void manage(warpfork::deed what, warpfork::storage& place, warpfork::storage& from) {
    if (what == warpfork::deed::copy) warpfork::content<Callable>::copy(place, from);
    if (what == warpfork::deed::move) warpfork::content<Callable>::move(place, from);
    if (what == warpfork::deed::destroy) warpfork::content<Callable>::destroy(place);
  }

  /* This one holds nothing. */
  __host__ __device__ void take(function& other) noexcept {
    call_ = other.call_;
    manage_ = other.manage_;
    if (manage_ != nullptr) manage_(warpfork::deed::move, storage_, other.storage_);
    other.call_ = nullptr;
    other.manage_ = nullptr;
  }

  static __host__ __device__ void be_empty() {
#if defined(__CUDA_ARCH__)
    __trap();
#elif defined(__EXCEPTIONS)
    throw std::bad_function_call();
#else
    std::abort();
#endif
  }

  Result (*call_)(warpfork::storage&, Arguments&&...) = nullptr;
  void (*manage_)(warpfork::deed, warpfork::storage&, warpfork::storage&) = nullptr;
  mutable warpfork::storage storage_;
};

template <class Result, class... Arguments>
__host__ __device__ void swap(function<Result(Arguments...)>& one, function<Result(Arguments...)>& other) noexcept {
  one.swap(other);
}
template <class Signature>
__host__ __device__ bool operator==(const function<Signature>& one, std::nullptr_t) noexcept {
  return !one;
}
template <class Signature>
__host__ __device__ bool operator==(std::nullptr_t, const function<Signature>& one) noexcept {
  return !one;
}
template <class Signature>
__host__ __device__ bool operator!=(const function<Signature>& one, std::nullptr_t) noexcept {
  return static_cast<bool>(one);
}
template <class Signature>
__host__ __device__ bool operator!=(std::nullptr_t, const function<Signature>& one) noexcept {
  return static_cast<bool>(one);
}

}  // namespace nvstd
