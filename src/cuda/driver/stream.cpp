// CUDA Driver API, "Stream Management" and "Event Management".
#include "cuda/api/graph_operations.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return in_context([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }

CUresult cuStreamDestroy_v2(CUstream stream) {
  return on_stream_of(stream, [&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return on_stream_of(stream, [&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return on_stream_of(stream, [&] { return cudaStreamGetPriority(stream, priority); });
}

/// Streams are of the device, whichever context they were made in.
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return on_device([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    required(context) = Process::instance().contexts().current();
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return on_stream_of(stream, [&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return on_stream_of(stream, [&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return on_stream_of(stream, [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return on_stream_of(stream, [&] {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    return on_stream(stream, host_call([=] { callback(stream, CUDA_SUCCESS, data); }));
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return in_context([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return after_init([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return on_stream_of(stream, [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }

CUresult cuEventQuery(CUevent event) {
  return after_init([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return after_init([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return after_init([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

/// The same in CUDA 12.8 and later.
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

}  // extern "C"
