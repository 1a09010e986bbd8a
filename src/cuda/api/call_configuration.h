// The `<<<grid, block, shared, stream>>>` of a launch, between the launch expression and the kernel's host stub.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <vector>

namespace warpfork::cuda {

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// Of the calling thread; a stack because arguments of a launch may launch.
inline std::vector<CallConfiguration>& call_configurations() {
  static thread_local std::vector<CallConfiguration> stack;
  return stack;
}

}  // namespace warpfork::cuda
