// CUDA Runtime API, "Stream Management" and "Event Management".
#include <algorithm>
#include <functional>
#include <utility>

#include "cuda/api/call.h"
#include "cuda/api/graph_operations.h"

using namespace warpfork::cuda;

namespace {

/// Calls the program's function in its turn of the stream; null is refused.
template <typename Function>
cudaError_t host_call_on(cudaStream_t stream, Function* function, std::function<void()> call_it,
                         const GivenParameters& parameters = {}) {
  const cudaError_t error = call([&](Runtime&) { require(function != nullptr, cudaErrorInvalidValue); });
  return error != cudaSuccess ? error : on_stream(stream, host_call(std::move(call_it), parameters));
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaStreamNonBlocking);
    required(stream) = runtime.timeline().create_stream(
        {flags, std::clamp(priority, Timeline::kGreatestPriority, Timeline::kLeastPriority)});
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    runtime.captures().require_none(stream);
    runtime.timeline().destroy_stream(stream);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call([&](Runtime& runtime) { required(flags) = runtime.timeline().stream(stream).flags; });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&](Runtime& runtime) { required(priority) = runtime.timeline().stream(stream).priority; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    required(id) = reinterpret_cast<std::uintptr_t>(stream);  // handles are numbers
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    required(device) = 0;
  });
}

// Hints, about caches and priorities: kept, and read back.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return call([&](Runtime& runtime) { runtime.timeline().attributes(stream)[attribute] = required(value); });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return call([&](Runtime& runtime) { required(value) = runtime.timeline().attributes(stream)[attribute]; });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call([&](Runtime& runtime) {
    const Timeline::Attributes attributes = runtime.timeline().attributes(from);
    runtime.timeline().attributes(to) = attributes;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    runtime.captures().require_none(stream);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (flags == cudaEventWaitExternal) return on_stream(stream, waiting_for(event));
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaEventWaitExternal);
    runtime.timeline().stream(stream);
    runtime.timeline().require_event(event);
    runtime.captures().wait(stream, event);
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, std::size_t, unsigned) {
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  return host_call_on(stream, callback, [=] { callback(stream, cudaSuccess, data); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return host_call_on(
      stream, function, [=] { function(data); }, cudaHostNodeParams{function, data});
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess);
    required(event) = runtime.timeline().create_event((flags & cudaEventDisableTiming) == 0);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Runtime& runtime) { runtime.timeline().destroy_event(event); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags == cudaEventRecordExternal) return on_stream(stream, recording_of(event));
  return call([&](Runtime& runtime) {
    require_flags(flags, cudaEventRecordExternal);
    runtime.timeline().stream(stream);
    runtime.timeline().require_event(event);
    if (!runtime.captures().record(event, stream)) runtime.timeline().record(event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&](Runtime& runtime) {
    runtime.timeline().require_event(event);
    runtime.captures().require_ordinary(event);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&](Runtime& runtime) {
    for (const cudaEvent_t event : {start, end}) runtime.captures().require_ordinary(event);
    required(milliseconds) = runtime.timeline().elapsed_milliseconds(start, end);
  });
}

/// The name of the same call in CUDA 12.8 and later.
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}

}  // extern "C"
