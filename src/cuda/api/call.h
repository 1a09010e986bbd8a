// How every function of the C interface runs: serialised, exceptions turned into CUDA's codes.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "cuda/api/process.h"

namespace warpfork::cuda {

/// Remembers the code for cudaGetLastError.
inline cudaError_t returned(cudaError_t code) {
  if (code != cudaSuccess) Process::last_error() = code;
  return code;
}

/// Nothing escapes it: where memory is too short to tell of an error, the process ends while there still is a call.
template <typename Body>
cudaError_t code_of(Process& process, Body&& body) noexcept {
  try {
    std::forward<Body>(body)(process);
    return cudaSuccess;
  } catch (const ApiError& error) {
    process.tell(error);
    return returned(error.code());
  } catch (const std::exception& error) {
    process.report(message_of(error));
    return returned(cudaErrorUnknown);
  }
}

/// Runs body() under the process's lock.
template <typename Body>
cudaError_t guarded_call(Body&& body) noexcept {
  Process& process = Process::instance();
  const Process::Call running(process);
  return code_of(process, std::forward<Body>(body));
}

/// A call that asks about the process, not the device, and needs no context: it answers after the device was lost, too.
template <typename Body>
cudaError_t call_of_process(Body&& body) noexcept {
  return guarded_call([&](Process& process) { std::forward<Body>(body)(process.runtime()); });
}

/// A call that needs the device: fails at once after the device was lost. body(runtime) throws ApiError to fail.
template <typename Body>
cudaError_t call(Body&& body) noexcept {
  return guarded_call([&](Process& process) {
    Runtime& runtime = process.runtime();
    if (const cudaError_t lost = process.lost(); lost != cudaSuccess) throw ApiError(lost);
    process.contexts().use_primary();
    std::forward<Body>(body)(runtime);
  });
}

/// A call on a stream: what operation.work() does, a call of its own or the program's function, if there is such a
/// stream. If that is capturing, it is done when the graph is launched: so work() holds copies of what it needs.
inline cudaError_t on_stream(cudaStream_t stream, GraphOperation operation) {
  bool is_captured = false;
  const cudaError_t error = call([&](Runtime& runtime) {
    runtime.timeline().stream(stream);
    is_captured = runtime.captures().is_capturing(stream);
    if (is_captured) runtime.captures().add(stream, operation);
  });
  return error == cudaSuccess && !is_captured && operation.work ? operation.work() : error;
}

/// The result of a call that generated code makes, which drops it: what was refused must be asked for.
inline cudaError_t dropped(cudaError_t error) {
  if (error != cudaSuccess) Process::instance().await_question();
  return error;
}

/// A call that is known and refused.
inline cudaError_t not_supported(const char* name, const std::string& why = "") noexcept {
  return guarded_call([&](Process& process) {
    process.runtime();  // so that the session knows
    process.report_unsupported(name, why);
    throw ApiError(cudaErrorNotSupported);
  });
}

inline void require(bool holds, cudaError_t otherwise) {
  if (!holds) throw ApiError(otherwise);
}

/// There is one device, number 0.
inline void require_device(int device) { require(device == 0, cudaErrorInvalidDevice); }

/// None but those of `known` may be set.
inline void require_flags(unsigned flags, unsigned known) { require((flags & ~known) == 0, cudaErrorInvalidValue); }

template <typename Value>
Value& required(Value* pointer) {
  require(pointer != nullptr, cudaErrorInvalidValue);
  return *pointer;
}

}  // namespace warpfork::cuda
