// CUDA Driver API, "Driver Entry Point Access": its functions by name.
#pragma once

namespace warpfork::cuda::driver {

using DriverFunction = void (*)();

struct FoundFunction {
  DriverFunction function = nullptr;
  bool is_later = false;  // there is one, of a later release than was asked for
};

/// The form of the call that programs of the release (12000 for 12.0) mean by its name: of `cuMemAlloc`
/// `cuMemAlloc_v2`.
FoundFunction find_driver_function(const char* name, int release);

}  // namespace warpfork::cuda::driver

extern "C" {

/// For libcuda.so.1, which has the functions' names (src/cuda/library/driver/main.cpp), by these names. Null if there
/// is none.
warpfork::cuda::driver::DriverFunction __cudaDriverFunction(const char* name);

}  // extern "C"
