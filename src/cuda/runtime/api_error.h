// An error that a CUDA program sees as a code (CUDA Runtime API, "Error Handling").
#pragma once

#include <driver_types.h>

#include <string>

#include "base/error.h"

namespace warpfork::cuda {

/// Carries the code a call returns. With a text it is also told to the user: for what can only be a mistake or a limit
/// of the simulator. Without, it is the program's own business.
class ApiError : public Error {
 public:
  explicit ApiError(cudaError_t code) : Error("CUDA error {}", static_cast<int>(code)), code_(code), silent_(true) {}
  ApiError(cudaError_t code, const std::string& message) : Error(message), code_(code) {}

  cudaError_t code() const { return code_; }
  bool silent() const { return silent_; }
  /// Nothing was done, and a program that knows can go on without it. All else that has a text is a failure of the run:
  /// a kernel that failed, code that cannot be read.
  bool is_refusal() const {
    switch (code_) {
      case cudaErrorInvalidValue:
      case cudaErrorMemoryAllocation:
      case cudaErrorInvalidConfiguration:
      case cudaErrorLaunchOutOfResources:
      case cudaErrorCooperativeLaunchTooLarge:
      case cudaErrorNotSupported:
        return true;
      default:
        return false;
    }
  }
  /// True for the text of a failed assertion, which is told as CUDA tells it, with nothing before it.
  bool is_the_kernels() const { return code_ == cudaErrorAssert; }

 private:
  cudaError_t code_;
  bool silent_ = false;
};

}  // namespace warpfork::cuda
