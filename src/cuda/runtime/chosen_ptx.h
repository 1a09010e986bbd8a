// Which PTX of an image is simulated where it holds several, as programs built for several architectures do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simt/loaded_module.h"

namespace warpfork::cuda {

struct ChosenPtx {
  std::unique_ptr<simt::LoadedModule> module;
  std::uint32_t architecture = 0;
  /// For messages, if other PTX was tried and has kernels, too, that cannot be simulated:
  ///   tried: PTX of compute_90, compute_75
  std::string tried;
  /// If it is not the highest:
  ///   PTX of compute_75 is simulated, not of compute_90, of which 2 kernels are refused
  std::string note;
};

/// What `load` makes of the PTX for an architecture; it throws Error if that cannot be loaded at all.
using LoadPtx = std::function<std::unique_ptr<simt::LoadedModule>(std::uint32_t architecture)>;

/// Of PTX for these architectures, the highest first, the first all of whose kernels can be simulated; if there is
/// none, the first of those with the fewest kernels that cannot. The variables of what was loaded in vain are freed.
/// Throws what the first one threw, with what was tried, if none can be loaded.
ChosenPtx choose_ptx(const std::vector<std::uint32_t>& architectures, const LoadPtx& load);

}  // namespace warpfork::cuda
