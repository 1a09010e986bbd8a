// From what a program gives the driver to a code image that is placed in device memory.
#pragma once

#include <functional>
#include <string>

#include "cuda/driver/jit_options.h"
#include "cuda/runtime/runtime.h"

namespace warpfork::cuda::driver {

/// Throws ApiError where something must be refused, after it was named together with the call.
void require_honoured(const JitOptions& options, const char* call);

/// Loads the text that ptx() gives; what is wrong with it is told in the options' buffer for errors, too.
CodeImage& load_code(Runtime& runtime, const char* call, const JitOptions& options,
                     const std::function<std::string()>& ptx);

/// Throws ApiError for a handle of none that was loaded: what the program registered is not its to unload.
void unload(Runtime& runtime, const void* handle);

/// work(), whose errors are told in the options' buffer, too.
void tell_errors(const JitOptions& options, const std::function<void()>& work);

}  // namespace warpfork::cuda::driver
