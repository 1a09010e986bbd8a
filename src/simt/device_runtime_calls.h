// The calls by which CUDA's device runtime (libcudadevrt, which brings its own functions as PTX) reaches the system, in
// CUDA 12 and later `__cuda_syscall_cnpv2…`, before that `cnp…`.
#pragma once

#include <string_view>

#include "simt/system_calls.h"

namespace warpfork::simt {

/// Launches, streams, events, last errors and the device's number; null for everything else. Waiting for launched grids
/// (cudaDeviceSynchronize until CUDA 11) is not among them.
const SystemCall* find_device_runtime_call(std::string_view name);

}  // namespace warpfork::simt
