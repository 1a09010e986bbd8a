#include "cuda/api/graph_operations.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "cuda/api/call.h"

namespace warpfork::cuda {

namespace {

/// As cudaMemset fills bytes, and by rows of a pattern where bytes of an element differ.
cudaError_t fill(const cudaMemsetParams& parameters) {
  const std::size_t bytes = parameters.elementSize, row_bytes = parameters.width * bytes;
  std::vector<std::byte> row(row_bytes);
  for (std::size_t i = 0; i < row_bytes; i += bytes) std::memcpy(row.data() + i, &parameters.value, bytes);
  const std::size_t pitch = parameters.height > 1 ? parameters.pitch : row_bytes;
  bool is_of_equal_bytes = true;
  for (std::size_t i = 1; i < bytes && row_bytes != 0; ++i) is_of_equal_bytes &= row[i] == row[0];
  if (is_of_equal_bytes)
    return cudaMemset2D(parameters.dst, pitch, static_cast<int>(parameters.value & 0xff), row_bytes, parameters.height);
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < parameters.height && error == cudaSuccess; ++i)
    error =
        cudaMemcpy(static_cast<std::byte*>(parameters.dst) + i * pitch, row.data(), row_bytes, cudaMemcpyHostToDevice);
  return error;
}

}  // namespace

GraphOperation host_call(std::function<void()> function, const GivenParameters& parameters) {
  return {cudaGraphNodeTypeHost,
          [function = std::move(function)] {
            function();
            return cudaSuccess;
          },
          {},
          {},
          {},
          parameters};
}

GraphOperation recording_of(cudaEvent_t event) {
  return {cudaGraphNodeTypeEventRecord, [event] { return cudaEventRecord(event, nullptr); }, {}, {}, {}, event};
}

/// Whoever comes later in the only order has waited.
GraphOperation waiting_for(cudaEvent_t event) {
  return {cudaGraphNodeTypeWaitEvent, [event] { return cudaStreamWaitEvent(nullptr, event, 0); }, {}, {}, {}, event};
}

GraphOperation launch_of(Runtime& runtime, const cudaKernelNodeParams& parameters, bool is_cooperative) {
  const RegisteredKernel* kernel = runtime.registry().find_kernel(parameters.func);
  require(kernel != nullptr, cudaErrorInvalidDeviceFunction);
  require(parameters.extra == nullptr, cudaErrorNotSupported);
  std::vector<std::size_t> bytes;
  for (const auto& parameter : runtime.registry().program(*kernel).function->parameters)
    bytes.push_back(parameter.bytes);
  require(bytes.empty() || parameters.kernelParams != nullptr, cudaErrorInvalidValue);
  const auto call = std::make_shared<const KernelCall>(parameters, bytes, is_cooperative);
  const auto launch = [call] {
    const cudaKernelNodeParams& p = call->parameters();
    return (call->is_cooperative() ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes, nullptr);
  };
  return {cudaGraphNodeTypeKernel, launch, call};
}

GraphOperation copy_of(const cudaMemcpy3DParms& parameters) {
  return copying([parameters] { return cudaMemcpy3D(&parameters); }, parameters);
}

GraphOperation copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters{};  // a row of so many
  parameters.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  parameters.dstPtr = {to, bytes, bytes, 1};
  parameters.extent = {bytes, 1, 1};
  parameters.kind = kind;
  return copying([=] { return cudaMemcpy(to, from, bytes, kind); }, parameters);
}

GraphOperation fill_of(const cudaMemsetParams& parameters) {
  const unsigned bytes = parameters.elementSize;
  require(bytes == 1 || bytes == 2 || bytes == 4, cudaErrorInvalidValue);
  return filling([parameters] { return fill(parameters); }, parameters);
}

GraphOperation host_call_of(const cudaHostNodeParams& parameters) {
  require(parameters.fn != nullptr, cudaErrorInvalidValue);
  return host_call([parameters] { parameters.fn(parameters.userData); }, parameters);
}

GraphOperation graph_of(std::vector<Graphs::Step> steps) {
  const auto launch = [steps = std::move(steps)] {
    for (const Graphs::Step& step : steps) {
      if (!step.is_enabled || !step.operation.work) continue;
      if (const cudaError_t error = step.operation.work(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  };
  return {cudaGraphNodeTypeGraph, launch, {}};
}

GraphOperation child_of(Runtime& runtime, cudaGraph_t child, const void* owner) {
  std::vector<Graphs::Step> steps = runtime.graphs().steps(child);
  require(std::ranges::none_of(steps, allocates_or_frees, &Graphs::Step::operation), cudaErrorInvalidValue);
  GraphOperation operation = graph_of(std::move(steps));
  runtime.graphs().objects().share(child, owner);
  return operation;
}

}  // namespace warpfork::cuda
