// CUDA Runtime API, "Error Handling".
#include "cuda/api/call.h"

using namespace warpfork::cuda;

extern "C" {

cudaError_t cudaGetLastError() {
  Process::instance().answer_question();
  return std::exchange(Process::last_error(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  Process::instance().answer_question();
  return Process::last_error();
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
