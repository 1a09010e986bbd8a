#include "cuda/driver/jit_options.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cuda/runtime/api_error.h"
#include "ptx/register_limit.h"

namespace warpfork::cuda::driver {

namespace {

constexpr int kOptionCount = 35;  // of CUDA 13.0

}  // namespace

JitOptions::JitOptions(unsigned count, const CUjit_option* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) throw ApiError(cudaErrorInvalidValue);
  for (unsigned i = 0; i < count; ++i) read(options[i], &values[i]);
}

void JitOptions::read(CUjit_option option, void** value) {
  const auto number = reinterpret_cast<std::uintptr_t>(*value);
  switch (option) {
    case CU_JIT_INFO_LOG_BUFFER:
      info_.buffer = static_cast<char*>(*value);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      info_.bytes = static_cast<unsigned>(number);
      info_.length = value;
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      error_.buffer = static_cast<char*>(*value);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      error_.bytes = static_cast<unsigned>(number);
      error_.length = value;
      break;
    case CU_JIT_WALL_TIME:
      wall_time_ = value;
      break;
    case CU_JIT_MAX_REGISTERS:
      max_registers_ = static_cast<unsigned>(number);
      break;
    case CU_JIT_GLOBAL_SYMBOL_NAMES:
    case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
    case CU_JIT_GLOBAL_SYMBOL_COUNT:
      refused_ = "variables of the program for names of the PTX";
      break;
    case CU_JIT_LTO:
      if (number != 0) refused_ = "CU_JIT_LTO";
      break;
    case CU_JIT_MIN_CTA_PER_SM:
    case CU_JIT_MAX_THREADS_PER_BLOCK:
    case CU_JIT_OVERRIDE_DIRECTIVE_VALUES:
      refused_ = "other directives than those of the PTX";
      break;
    default:
      if (static_cast<unsigned>(option) >= kOptionCount) throw ApiError(cudaErrorInvalidValue);
  }
}

std::string JitOptions::limited(std::string ptx) const {
  return max_registers_ == 0 ? ptx : ptx::with_register_limit(ptx, max_registers_);
}

void JitOptions::begin() const {
  tell(info_, "");
  tell(error_, "");
  constexpr float kNone = 0;
  if (wall_time_ != nullptr) std::memcpy(wall_time_, &kNone, sizeof kNone);
}

void JitOptions::tell(const Log& log, std::string_view text) {
  const std::size_t length = log.buffer == nullptr || log.bytes == 0 ? 0 : std::min(text.size(), log.bytes - 1);
  if (log.buffer != nullptr && log.bytes != 0) {
    text.copy(log.buffer, length);
    log.buffer[length] = '\0';
  }
  if (log.length != nullptr) *log.length = reinterpret_cast<void*>(length);
}

}  // namespace warpfork::cuda::driver
