#include "cuda/driver/loading.h"

#include "cuda/driver/driver_call.h"

namespace warpfork::cuda::driver {

void require_honoured(const JitOptions& options, const char* call) {
  options.begin();
  if (options.refused().empty()) return;
  Process::instance().report_unsupported(call, options.refused());
  throw ApiError(cudaErrorNotSupported);
}

void tell_errors(const JitOptions& options, const std::function<void()>& work) {
  try {
    work();
  } catch (const ApiError& error) {
    if (!error.silent()) options.tell_error(error.what());
    throw;
  }
}

CodeImage& load_code(Runtime& runtime, const char* call, const JitOptions& options,
                     const std::function<std::string()>& ptx) {
  require_honoured(options, call);
  CodeImage* image = nullptr;
  tell_errors(options, [&] { image = &runtime.registry().load_image(options.limited(ptx())); });
  return *image;
}

void unload(Runtime& runtime, const void* handle) {
  const CodeImage& image = image_of(runtime, handle);
  require(image.wrapper == nullptr, cudaErrorInvalidResourceHandle);
  Process::instance().texture_references().remove_module(image);
  runtime.registry().remove_image(image);
}

}  // namespace warpfork::cuda::driver
