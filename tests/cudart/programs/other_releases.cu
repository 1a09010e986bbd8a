// Calls as CUDA 11 and 13 have them, whose parameters are not those of CUDA 12. Prints one line per failure, PASS at
// the end.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"

__global__ void set(int* to, int value) { *to = value; }

static void hints_name_locations() {
  int *managed = nullptr, is_read = 0, preferred = 0;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  EXPECT(cudaMallocManaged(&managed, 4096) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, device, 0) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, 0) == cudaSuccess);
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, host) == cudaSuccess);
  EXPECT(cudaMemRangeGetAttribute(&is_read, 4, cudaMemRangeAttributeReadMostly, managed, 4096) == cudaSuccess);
  EXPECT(cudaMemRangeGetAttribute(&preferred, 4, cudaMemRangeAttributePreferredLocation, managed, 4096) == cudaSuccess);
  EXPECT(is_read == 1 && preferred == cudaCpuDeviceId);
  EXPECT(cudaFree(managed) == cudaSuccess);
}

static void graphs_say_something_about_their_edges() {
  int *to = nullptr, value = 42, back = 0;
  EXPECT(cudaMalloc(&to, sizeof *to) == cudaSuccess);
  void* arguments[] = {&to, &value};
  cudaGraph_t graph;
  cudaGraphNode_t first, second, from, end;
  cudaGraphExec_t executable;
  size_t count = 1;
  EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  kernel.kernel.func = (void*)set;
  kernel.kernel.gridDim = kernel.kernel.blockDim = dim3(1);
  kernel.kernel.kernelParams = arguments;
  EXPECT(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &kernel) == cudaSuccess);
  EXPECT(cudaGraphAddNode(&second, graph, &first, 1, &kernel) == cudaSuccess);
  EXPECT(cudaGraphGetEdges(graph, &from, &end, nullptr, &count) == cudaSuccess);
  EXPECT(count == 1 && from == first && end == second);
  EXPECT(cudaGraphRemoveDependencies(graph, &first, &second, nullptr, 1) == cudaSuccess);
  EXPECT(cudaGraphAddDependencies(graph, &first, &second, 1) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == cudaSuccess);
  EXPECT(cudaGraphLaunch(executable, 0) == cudaSuccess);
  EXPECT(cudaMemcpy(&back, to, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess && back == 42);
}

static void older_names_are_there() {
  cudaEvent_t event;
  size_t bytes = 0;
  cudaIpcMemHandle_t handle;
  EXPECT(cudaEventCreate(&event, cudaEventBlockingSync) == cudaSuccess);
  EXPECT(cudaThreadGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess && bytes != 0);
  EXPECT(cudaSetDeviceFlags(cudaDeviceBlockingSync) == cudaSuccess);
  EXPECT(cudaIpcGetMemHandle(&handle, nullptr) == cudaErrorNotSupported);
  EXPECT(cudaGraphChildGraphNodeGetGraph(nullptr, nullptr) == cudaErrorNotSupported);
}

int main() {
  hints_name_locations();
  graphs_say_something_about_their_edges();
  older_names_are_there();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
