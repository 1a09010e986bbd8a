// A kernel launch that is kept for later: its shape and a copy of its arguments.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <vector>

namespace warpfork::cuda {

class KernelCall {
 public:
  /// `bytes` of each of the kernel's parameters, to which `parameters.kernelParams` points one by one.
  KernelCall(const cudaKernelNodeParams& parameters, const std::vector<std::size_t>& bytes, bool is_cooperative);
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  /// Its arguments are this object's.
  const cudaKernelNodeParams& parameters() const { return parameters_; }
  bool is_cooperative() const { return is_cooperative_; }

 private:
  cudaKernelNodeParams parameters_;
  bool is_cooperative_;
  std::vector<std::vector<std::byte>> arguments_;
  std::vector<void*> pointers_;  // to them
};

}  // namespace warpfork::cuda
