// CUDA Runtime API, "Graph Management": objects of the program that graphs keep alive.
#include "cuda/api/call.h"

using namespace warpfork::cuda;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags) {
  return call([&](Runtime& runtime) {
    require(flags == cudaUserObjectNoDestructorSync, cudaErrorInvalidValue);  // which must be given
    cudaUserObject_t& created = required(object);
    created = runtime.graphs().objects().create(pointer, destroy, references);
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned references) {
  return call([&](Runtime& runtime) { runtime.graphs().objects().retain(object, references); });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned references) {
  return call([&](Runtime& runtime) { runtime.graphs().objects().release(object, references); });
}

/// With cudaGraphUserObjectMove the references are the caller's until then.
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned references, unsigned flags) {
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaGraphUserObjectMove);
    runtime.graphs().nodes(graph);  // throws where there is no such graph
    if (flags == 0) runtime.graphs().objects().retain(object, references);
    runtime.graphs().objects().give(graph, object, references);
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned references) {
  return call([&](Runtime& runtime) { runtime.graphs().objects().take(graph, object, references); });
}

}  // extern "C"
