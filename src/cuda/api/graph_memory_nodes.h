// CUDA Runtime API: what nodes of graphs do that allocate memory, by a call of their own or by a capture.
#pragma once

#include <cstddef>

#include "cuda/api/graph_operations.h"

namespace warpfork::cuda {

/// Reserves the memory, whose address `pointer` is told, for the launches of the node. Throws ApiError as cudaMalloc.
GraphOperation allocation_of(Runtime& runtime, void*& pointer, std::size_t bytes);
/// Of a pool of the one device. Throws ApiError with cudaErrorInvalidValue for others.
GraphOperation allocation_of(Runtime& runtime, cudaMemAllocNodeParams& parameters);
/// Throws ApiError with cudaErrorInvalidValue for memory that no node allocates.
GraphOperation freeing_of(Runtime& runtime, void* pointer);
/// Of the memory that these allocate, what an earlier launch has left allocated.
GraphOperation freeing_what_is_left(const std::vector<Graphs::Step>& steps);

}  // namespace warpfork::cuda
