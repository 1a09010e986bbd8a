// CUDA Runtime API, "Stream Management": stream capture.
#include "cuda/api/call.h"
#include "cuda/api/embedding.h"

using namespace warpfork::cuda;

namespace {

template <typename Value>
void give(Value* to, const Value& value) {
  if (to != nullptr) *to = value;
}

cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, std::size_t* count) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    required(status) = runtime.captures().status(stream);
    if (*status != cudaStreamCaptureStatusActive) return;
    const StreamCaptures::Branch& branch = runtime.captures().branch(stream);
    give(id, branch.capture);
    give(graph, branch.graph);
    if (dependencies != nullptr) *dependencies = branch.last.data();
    give(count, branch.last.size());
  });
}

}  // namespace

extern "C" {

// What a mode forbids other streams and threads in the meantime is done here, and in no graph.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    runtime.captures().begin(stream);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](Runtime& runtime) {
    required(graph) = nullptr;
    runtime.timeline().stream(stream);
    *graph = runtime.captures().end(stream);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return capture_info(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, std::size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, count);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const void** edges,
                                        std::size_t* count) {
  give<const void*>(edges, nullptr);
  return capture_info(stream, status, id, graph, dependencies, count);
}

/// Programs of CUDA 11 and 12 pass three arguments, those of 13 all.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const void** edges,
                                     std::size_t* count) {
  if (kEmbedding.runtime_version < kFirstVersionWithEdges)
    return capture_info(stream, status, id, nullptr, nullptr, nullptr);
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode present = cudaStreamCaptureModeGlobal;
  return call([&](Runtime&) { std::swap(required(mode), present); });
}

}  // extern "C"
