#include "cuda/driver/contexts.h"

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda::driver {

const std::vector<CUcontext>& Contexts::stack() const {
  static const std::vector<CUcontext> none;
  const auto found = stacks_.find(number_of_thread());
  return found == stacks_.end() ? none : found->second;
}

bool Contexts::exists(CUcontext context) const { return context == kPrimary || flags_.contains(context); }

unsigned& Contexts::driver_calls() {
  static thread_local unsigned calls = 0;
  return calls;
}

void Contexts::require_initialised() const {
  if (!is_initialised_) throw ApiError(cudaErrorInitializationError);
}

void Contexts::require_current() const {
  require_initialised();
  if (stack().empty()) throw ApiError(cudaErrorDeviceUninitialized);
  if (!exists(stack().back())) throw ApiError(cudaErrorContextIsDestroyed);
}

void Contexts::require(CUcontext context) const {
  if (!exists(context)) throw ApiError(cudaErrorDeviceUninitialized);
}

void Contexts::use_primary() {
  if (driver_calls() == 0 && stack().empty()) make_primary_current();
}

void Contexts::make_primary_current() {
  is_initialised_ = is_primary_used_ = true;
  set_current(kPrimary);
}

CUcontext Contexts::current() const { return stack().empty() ? nullptr : stack().back(); }

unsigned Contexts::flags_of_current() const {
  const auto found = flags_.find(current());
  return found == flags_.end() ? primary_flags_ : found->second;
}

void Contexts::set_current(CUcontext context) {
  if (context != nullptr) require(context);
  if (!stack().empty()) stack().pop_back();
  if (context != nullptr) stack().push_back(context);
}

void Contexts::push(CUcontext context) {
  require(context);
  stack().push_back(context);
}

CUcontext Contexts::pop() {
  if (stack().empty()) throw ApiError(cudaErrorDeviceUninitialized);
  const CUcontext context = stack().back();
  stack().pop_back();
  return context;
}

CUcontext Contexts::create(unsigned flags) {
  if ((flags & ~kFlags) != 0) throw ApiError(cudaErrorInvalidValue);
  const auto context = reinterpret_cast<CUcontext>(next_++);
  flags_[context] = flags;
  stack().push_back(context);
  return context;
}

void Contexts::destroy(CUcontext context) {
  if (flags_.erase(context) == 0) throw ApiError(cudaErrorDeviceUninitialized);
  if (current() == context) stack().pop_back();
}

void Contexts::retain_primary() { ++primary_uses_; }

void Contexts::release_primary() {
  if (primary_uses_ == 0) throw ApiError(cudaErrorDeviceUninitialized);
  --primary_uses_;
}

void Contexts::set_primary_flags(unsigned flags) {
  if ((flags & ~kFlags) != 0) throw ApiError(cudaErrorInvalidValue);
  primary_flags_ = flags;
}

}  // namespace warpfork::cuda::driver
