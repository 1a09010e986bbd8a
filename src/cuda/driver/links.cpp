#include "cuda/driver/links.h"

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda::driver {

CUlinkState Links::create(const JitOptions& options) {
  const auto state = reinterpret_cast<CUlinkState>(next_++);
  links_[state].options = options;
  return state;
}

Link& Links::link(CUlinkState state) {
  const auto found = links_.find(state);
  if (found == links_.end()) throw ApiError(cudaErrorInvalidResourceHandle);
  return found->second;
}

void Links::destroy(CUlinkState state) {
  if (links_.erase(state) == 0) throw ApiError(cudaErrorInvalidResourceHandle);
}

}  // namespace warpfork::cuda::driver
