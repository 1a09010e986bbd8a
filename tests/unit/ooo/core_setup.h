// A core of some size, as a parameter of tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ooo/machine_spec.h"

namespace warpfork::ooo {

struct CoreSetup {
  const char* core;
  const char* rename;
  unsigned warps, threads;

  MachineSpec machine() const {
    MachineSpec machine;
    machine.warps = warps;
    machine.threads = threads;
    machine.rename = rename;
    return machine;
  }
};

inline MachineSpec one_thread() {
  MachineSpec one;
  one.warps = one.threads = 1;
  return one;
}

/// As googletest names its cases: simt_x_pirat_2x4.
inline std::string name_of(const ::testing::TestParamInfo<CoreSetup>& info) {
  const CoreSetup& setup = info.param;
  std::string name = fmt::format("{}_{}_{}x{}", setup.core, setup.rename, setup.warps, setup.threads);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace warpfork::ooo
