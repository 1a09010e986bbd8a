// CUDA Runtime API, "Error Handling".
#include "cuda/api/call.h"

using namespace warpfork::cuda;

namespace {

/// The error that every call gives from now on, if the device was lost; else `own`.
cudaError_t lost_or(cudaError_t own) {
  Process& process = Process::instance();
  const std::lock_guard guard(process.lock());
  const cudaError_t lost = process.lost();
  return lost != cudaSuccess ? lost : own;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() { return lost_or(std::exchange(Process::last_error(), cudaSuccess)); }

cudaError_t cudaPeekAtLastError() { return lost_or(Process::last_error()); }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CUDA_ERROR(name, number, text) \
  case name:                           \
    return #name;
#include <warpfork/cuda_errors.def>
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define CUDA_ERROR(name, number, text) \
  case name:                           \
    return text;
#include <warpfork/cuda_errors.def>
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

}  // extern "C"
