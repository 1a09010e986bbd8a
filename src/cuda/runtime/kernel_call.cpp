#include "cuda/runtime/kernel_call.h"

namespace warpfork::cuda {

KernelCall::KernelCall(const cudaKernelNodeParams& parameters, const std::vector<std::size_t>& bytes,
                       bool is_cooperative)
    : parameters_(parameters), is_cooperative_(is_cooperative) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto* const argument = static_cast<const std::byte*>(parameters.kernelParams[i]);
    arguments_.emplace_back(argument, argument + bytes[i]);
  }
  for (std::vector<std::byte>& argument : arguments_) pointers_.push_back(argument.data());
  parameters_.kernelParams = pointers_.data();
}

}  // namespace warpfork::cuda
