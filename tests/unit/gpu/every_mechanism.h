// Kernels under every mechanism, timed and functional.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {

/// Parameter: the mechanism and whether the run is functional only.
class UnderEveryMechanism : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  /// Empty if the kernel ends.
  std::string error(const Kernel& kernel) const {
    return kernel.error(one_core(std::get<0>(GetParam())),
                        {.functional_only = std::get<1>(GetParam()), .max_cycles = 1000000});
  }
};

inline auto every_mechanism() {
  return ::testing::Combine(::testing::ValuesIn(divergence_mechanism_names()), ::testing::Bool());
}

}  // namespace warpfork::gpu
