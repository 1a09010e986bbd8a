/* Calls of the runtime API as CUDA 11 and 13 have them, where their parameters are others than those of CUDA 12. */
#pragma once

#include <cuda_runtime_api.h>

extern "C" {
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count);
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count);
}

/* CUDA 11 */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                               size_t) {
  return cudaGraphInstantiate(executable, graph, 0ull);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** dependencies = 0, size_t* count = 0) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

/* CUDA 13 */
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, bytes, advice, location);
}
static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                               unsigned int flags, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                           size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                   size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                      size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                            cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                       cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                         cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** dependencies,
                                                   const cudaGraphEdgeData** edges, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

/* As CUDA's C++ interface takes them in all releases: flags of an event, typed pointers, kernels by name. */
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* sharedBytes, T* function, int blocks,
                                                                    int blockSize) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(sharedBytes, (const void*)function, blocks, blockSize);
}
