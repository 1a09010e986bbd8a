// CUDA Runtime API, "Error Handling".
#include "cuda/api/call.h"

using namespace warpfork::cuda;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t lost = Process::instance().lost();
  const cudaError_t error = std::exchange(Process::last_error(), cudaSuccess);
  return lost != cudaSuccess ? lost : error;
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t lost = Process::instance().lost();
  return lost != cudaSuccess ? lost : Process::last_error();
}

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
