// CUDA Runtime API: what calls on streams and nodes of graphs do, to be done at once or when the graph is launched.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <utility>

#include "cuda/runtime/graphs.h"
#include "cuda/runtime/runtime.h"

namespace warpfork::cuda {

inline GraphOperation copying(std::function<cudaError_t()> work, const GivenParameters& parameters = {}) {
  return {cudaGraphNodeTypeMemcpy, std::move(work), {}, {}, {}, parameters};
}
inline GraphOperation filling(std::function<cudaError_t()> work, const GivenParameters& parameters = {}) {
  return {cudaGraphNodeTypeMemset, std::move(work), {}, {}, {}, parameters};
}
GraphOperation host_call(std::function<void()> function, const GivenParameters& parameters = {});
GraphOperation recording_of(cudaEvent_t event);
GraphOperation waiting_for(cudaEvent_t event);

/// With a copy of the arguments. Throws ApiError where there is no such kernel, or no array of arguments.
GraphOperation launch_of(Runtime& runtime, const cudaKernelNodeParams& parameters, bool is_cooperative = false);
GraphOperation copy_of(const cudaMemcpy3DParms& parameters);
GraphOperation copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Throws ApiError with cudaErrorInvalidValue where elements are not of 1, 2 or 4 bytes.
GraphOperation fill_of(const cudaMemsetParams& parameters);
GraphOperation host_call_of(const cudaHostNodeParams& parameters);
/// All of these one after the other, until one fails.
GraphOperation graph_of(std::vector<Graphs::Step> steps);
/// The child as it is now, whose objects are kept by `owner`, too: a graph or an executable one. Throws ApiError with
/// cudaErrorInvalidValue for a child that allocates or frees memory.
GraphOperation child_of(Runtime& runtime, cudaGraph_t child, const void* owner);

}  // namespace warpfork::cuda
