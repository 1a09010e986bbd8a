#include "cuda/driver/driver_functions.h"

#include <algorithm>
#include <string_view>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

#define UNSUPPORTED(name, since) extern "C" CUresult name();
#include "cuda/driver/unsupported_calls.def"
#undef UNSUPPORTED

namespace warpfork::cuda::driver {

namespace {

struct Named {
  std::string_view name;
  DriverFunction function;
  int since;
};

const Named kFunctions[] = {
#define DRIVER_CALL(name, since) {#name, reinterpret_cast<DriverFunction>(&name), since},
#define PER_THREAD(name, call) {#name, reinterpret_cast<DriverFunction>(&call), 0},
#define UNSUPPORTED(name, since) {#name, reinterpret_cast<DriverFunction>(&name), since},
#include "cuda/driver/driver_calls.def"
#include "cuda/driver/unsupported_calls.def"
#undef UNSUPPORTED
#undef PER_THREAD
#undef DRIVER_CALL
};

/// `cuMemAlloc_v2` is one of `cuMemAlloc`, which is one itself.
bool is_form_of(std::string_view form, std::string_view name) {
  if (!form.starts_with(name)) return false;
  const std::string_view rest = form.substr(name.size());
  return rest.empty() || (rest.size() == 3 && rest.starts_with("_v"));
}

}  // namespace

FoundFunction find_driver_function(const char* name, int release) {
  FoundFunction found;
  int newest = -1;
  for (const Named& function : kFunctions) {
    if (!is_form_of(function.name, name)) continue;
    if (function.since > release)
      found.is_later = true;
    else if (function.since > newest) {
      newest = function.since;
      found.function = function.function;
    }
  }
  return found;
}

}  // namespace warpfork::cuda::driver

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

DriverFunction __cudaDriverFunction(const char* name) {
  const auto* const found = std::ranges::find(kFunctions, std::string_view(name), &Named::name);
  return found == std::end(kFunctions) ? nullptr : found->function;
}

/// All streams are one order: the flags, about the default stream that is meant, choose nothing.
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int release, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  const FoundFunction found = find_driver_function(symbol, release);
  *function = reinterpret_cast<void*>(found.function);
  if (status != nullptr)
    *status = found.function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS
              : found.is_later          ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return CUDA_SUCCESS;
}

/// NVIDIA's own libraries ask for tables of functions that nobody documents, and go on without.
CUresult cuGetExportTable(const void**, const CUuuid*) { return CUDA_ERROR_NOT_SUPPORTED; }

/// Of CUDA 11, where there is no status.
CUresult cuGetProcAddress(const char* symbol, void** function, int release, cuuint64_t flags) {
  const CUresult result = cuGetProcAddress_v2(symbol, function, release, flags, nullptr);
  return result == CUDA_SUCCESS && *function == nullptr ? CUDA_ERROR_NOT_FOUND : result;
}

}  // extern "C"
