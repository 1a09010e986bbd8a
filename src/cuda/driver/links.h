// CUDA Driver API, cuLinkCreate and what follows: device code of several sources that becomes one image.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cuda/driver/jit_options.h"

namespace warpfork::cuda::driver {

struct Link {
  JitOptions options;
  std::vector<std::string> units;     // of PTX
  std::vector<std::string> archived;  // likewise, of which only what those need is taken
  std::string image;                  // what they became: PTX, too (docs/adr/0030)
};

/// Handles are numbers, never addresses.
class Links {
 public:
  CUlinkState create(const JitOptions& options);
  /// Throws ApiError: cudaErrorInvalidResourceHandle.
  Link& link(CUlinkState state);
  void destroy(CUlinkState state);

 private:
  std::uintptr_t next_ = 1;
  std::map<CUlinkState, Link> links_;
};

}  // namespace warpfork::cuda::driver
