// The C interface of the CUDA runtime within this process, over the functional sink: what a program calls.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// What generated code calls (src/cuda/api/registration.cpp), and what no header of ours declares.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void**, char* host, char*, const char* name, int, std::size_t, int, int);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream);
cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                       const cudaTextureDesc* description, const cudaResourceViewDesc* view);
void __cudaRegisterTexture(void**, const textureReference* host, const void**, const char* name, int dimensions,
                           int reads_fractions, int);
void __cudaRegisterSurface(void**, const surfaceReference* host, const void**, const char* name, int dimensions, int);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count, std::size_t count_behind_edges);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t count, std::size_t count_behind_edges);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void* count,
                                         std::size_t* count_behind_edges);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo*,
                                cudaGraphExecUpdateResult*);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, void* count,
                                           std::size_t* count_behind_edges);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* count,
                              std::size_t* count_behind_edges);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* edges,
                                 std::size_t* count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies, void* edges,
                                            std::size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents, void* edges,
                                              std::size_t* count);
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             std::size_t count, void* parameters, cudaGraphNodeParams* parameters_behind_edges);
cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice, unsigned long long device);
cudaError_t cudaMemAdvise_v2(const void* memory, std::size_t bytes, cudaMemoryAdvise, unsigned long long location);
cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, unsigned long long device);
cudaError_t cudaMemPrefetchAsync_v2(const void* memory, std::size_t bytes, unsigned long long location);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream);
}

namespace warpfork::cuda {

/// Starts the runtime with the first test, and has a program registered: kernel `store(unsigned* to)`, which leaves
/// each thread's number at its place, kernel `narrow()`, whose blocks have 10 × 10 threads at most, and the variable
/// `table` of four words, 1 2 3 4. The device is the process's: a test that loses it does so in a process of its own
/// (EXPECT_EXIT).
class ApiTest : public testing::Test {
 protected:
  ApiTest();
  ~ApiTest() override;

  static cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void* to, std::size_t shared = 0,
                            cudaStream_t stream = nullptr);

  static char kStore, kNarrow, kTable;  // host addresses that stand for kernels and variable

 private:
  std::vector<std::byte> image_;
  void** handle_ = nullptr;
};

}  // namespace warpfork::cuda
