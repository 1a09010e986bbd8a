// CUDA Driver API, "Context Management" and "Primary Context Management": which contexts there are, and each thread's.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <vector>

#include "cuda/thread_number.h"

namespace warpfork::cuda::driver {

/// Contexts are names for the one device: all have the same memory, code and streams, and none owns any. Handles are
/// numbers, never addresses. Functions throw ApiError with the code that the driver API documents.
class Contexts {
 public:
  static inline const CUcontext kPrimary = reinterpret_cast<CUcontext>(std::uintptr_t{1});
  /// As cuCtxCreate's `flags` has them.
  static constexpr unsigned kFlags = CU_CTX_FLAGS_MASK;

  void initialise() { is_initialised_ = true; }
  void require_initialised() const;
  /// The calling thread must have a context, and one that was not destroyed since.
  void require_current() const;
  /// What the runtime API does: a thread without a context gets the primary one, but not while a call of the driver
  /// runs.
  void use_primary();
  /// That such a call runs in the calling thread.
  class DriverCall {
   public:
    DriverCall() { ++driver_calls(); }
    ~DriverCall() { --driver_calls(); }
    DriverCall(const DriverCall&) = delete;
    DriverCall& operator=(const DriverCall&) = delete;
  };
  void make_primary_current();

  /// The calling thread's; null if it has none.
  CUcontext current() const;
  unsigned flags_of_current() const;
  void set_current(CUcontext context);
  void push(CUcontext context);
  CUcontext pop();

  /// Current of the calling thread, too.
  CUcontext create(unsigned flags);
  void destroy(CUcontext context);
  void require(CUcontext context) const;

  void retain_primary();
  void release_primary();
  void reset_primary() { is_primary_used_ = false; }
  bool is_primary_active() const { return is_primary_used_ || primary_uses_ > 0; }
  unsigned primary_flags() const { return primary_flags_; }
  void set_primary_flags(unsigned flags);

 private:
  /// The calling thread's. Kept here, as programs call from exit handlers, which run when a thread's own variables are
  /// gone.
  std::vector<CUcontext>& stack() { return stacks_[number_of_thread()]; }
  const std::vector<CUcontext>& stack() const;
  static unsigned& driver_calls();  // in which the calling thread is
  bool exists(CUcontext context) const;

  bool is_initialised_ = false, is_primary_used_ = false;  // by the runtime API
  unsigned primary_uses_ = 0, primary_flags_ = 0;
  std::uintptr_t next_ = 2;
  std::map<CUcontext, unsigned> flags_;  // of those that were created
  std::map<std::uint64_t, std::vector<CUcontext>> stacks_;
};

}  // namespace warpfork::cuda::driver
