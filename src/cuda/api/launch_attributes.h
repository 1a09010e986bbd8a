// CUDA Runtime API, "Data types used by CUDA Runtime", cudaLaunchAttribute: what a launch is asked for beside its
// shape.
#pragma once

#include <driver_types.h>

#include <string>

namespace warpfork::cuda {

struct LaunchAttributes {
  bool is_cooperative = false;
  std::string refused;  // the one that was asked for and is not supported, as a user knows it; empty: none
};

/// Hints, about caches, priorities and when the next kernel may begin, change nothing: kernels run one after the other.
/// Throws ApiError with cudaErrorInvalidValue where there are attributes and no array of them.
LaunchAttributes read_attributes(const cudaLaunchConfig_t& configuration);

}  // namespace warpfork::cuda
