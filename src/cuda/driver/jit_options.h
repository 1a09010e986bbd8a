// CUDA Driver API, CUjit_option: what a program asks of the compiler that the driver has for PTX.
#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

namespace warpfork::cuda::driver {

/// The options of one call: the buffers for messages, times, and how many registers a thread may have. What is about
/// machine code, which is never made, changes nothing.
class JitOptions {
 public:
  JitOptions() = default;
  /// Throws ApiError: cudaErrorInvalidValue for options that there are none of, or without values.
  JitOptions(unsigned count, const CUjit_option* options, void** values);

  /// The PTX with the limit of registers that was asked for (ptx::with_register_limit()), if any was.
  std::string limited(std::string ptx) const;
  /// What was asked for and must be refused; empty: nothing.
  const std::string& refused() const { return refused_; }

  /// Leaves the text, as much as there is room for, in the buffer for errors, and its length with the option.
  void tell_error(std::string_view text) const { tell(error_, text); }
  /// That there is nothing to tell: both buffers are empty, and no time has passed.
  void begin() const;

 private:
  struct Log {
    char* buffer = nullptr;
    std::size_t bytes = 0;
    void** length = nullptr;  // where the program finds it
  };
  void read(CUjit_option option, void** value);
  static void tell(const Log& log, std::string_view text);

  Log info_, error_;
  void** wall_time_ = nullptr;
  unsigned max_registers_ = 0;  // of a thread, 0 = no limit
  std::string refused_;
};

}  // namespace warpfork::cuda::driver
