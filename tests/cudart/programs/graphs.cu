// Graphs of operations, captured from streams and built node by node, launched several times and changed in between.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int kCount = 64;

__global__ void add(int* to, const int* from, int more) { to[threadIdx.x] += from[threadIdx.x] + more; }
__global__ void scale(int* values, int factor) { values[threadIdx.x] *= factor; }

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAIL: %s\n", what);
  std::exit(1);
}
#define SUCCEEDS(call) check((call) == cudaSuccess, #call)

int *a, *b;      // on the device
int results[4];  // what host functions saw

int first_of(const int* on_device) {
  int value = -1;
  SUCCEEDS(cudaMemcpy(&value, on_device, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

void fill_both(int value) {
  int values[kCount];
  for (int& v : values) v = value;
  SUCCEEDS(cudaMemcpy(a, values, sizeof values, cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemcpy(b, values, sizeof values, cudaMemcpyHostToDevice));
}

// a += b + 3 in one stream beside b *= 5 in another, then a += b + 0.
cudaGraph_t capture(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t fork, join;
  SUCCEEDS(cudaEventCreate(&fork));
  SUCCEEDS(cudaEventCreate(&join));
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int more = 3;
  add<<<1, kCount, 0, stream>>>(a, b, more);
  more = 1000;  // the launch has its own copy
  SUCCEEDS(cudaEventRecord(fork, stream));
  SUCCEEDS(cudaStreamWaitEvent(other, fork, 0));
  scale<<<1, kCount, 0, other>>>(b, 5);
  SUCCEEDS(cudaEventRecord(join, other));
  SUCCEEDS(cudaStreamWaitEvent(stream, join, 0));
  add<<<1, kCount, 0, stream>>>(a, b, 0);
  SUCCEEDS(cudaMemcpyAsync(results, a, sizeof(int), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  return graph;
}

void launch_captured() {
  cudaStream_t stream, other;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamCreate(&other));
  fill_both(1);
  const cudaGraph_t graph = capture(stream, other);
  check(first_of(a) == 1 && first_of(b) == 1, "nothing is done while it is captured");
  size_t nodes = 0;
  SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
  check(nodes == 4, "number of nodes");
  cudaGraphExec_t executable;
  SUCCEEDS(cudaGraphInstantiate(&executable, graph, 0));
  SUCCEEDS(cudaGraphLaunch(executable, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  check(results[0] == 10, "1 + 1 + 3 + 5");
  SUCCEEDS(cudaGraphLaunch(executable, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  check(results[0] == 43, "10 + 5 + 3 + 25");
  SUCCEEDS(cudaGraphExecDestroy(executable));
  SUCCEEDS(cudaGraphDestroy(graph));
}

cudaKernelNodeParams scaling(void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)scale;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(kCount);
  parameters.kernelParams = arguments;
  return parameters;
}

void launch_built() {
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  cudaMemsetParams sevens = {};
  sevens.dst = a;
  sevens.value = 0x00070007;
  sevens.elementSize = 4;
  sevens.width = kCount;
  sevens.height = 1;
  cudaGraphNode_t fill, kernel, copy, tell;
  SUCCEEDS(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &sevens));
  int factor = 2;
  void* arguments[] = {&a, &factor};
  cudaKernelNodeParams parameters = scaling(arguments);
  SUCCEEDS(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &parameters));
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, results, a, sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams host = {};
  host.fn = [](void* to) { *(int*)to = results[0] + 1; };
  host.userData = &results[1];
  SUCCEEDS(cudaGraphAddHostNode(&tell, graph, &copy, 1, &host));
  cudaGraphExec_t executable;
  SUCCEEDS(cudaGraphInstantiate(&executable, graph, 0));
  SUCCEEDS(cudaGraphLaunch(executable, 0));
  SUCCEEDS(cudaDeviceSynchronize());
  check(results[1] == 0x000e000f, "filled, doubled, copied, told");
  factor = 3;
  SUCCEEDS(cudaGraphExecKernelNodeSetParams(executable, kernel, &parameters));
  SUCCEEDS(cudaGraphLaunch(executable, 0));
  SUCCEEDS(cudaDeviceSynchronize());
  check(results[1] == 0x00150016, "filled, tripled, copied, told");
}

int main() {
  SUCCEEDS(cudaMalloc(&a, kCount * sizeof(int)));
  SUCCEEDS(cudaMalloc(&b, kCount * sizeof(int)));
  launch_captured();
  launch_built();
  std::printf("PASS\n");
}
