// A launch to be saved: two allocations, a variable and a kernel `k`.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "checkpoint/saved_launch.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"

namespace warpfork::checkpoint {

inline constexpr const char* kSamplePtx =
    ".version 6.3\n.target sm_70\n.address_size 64\n.global .u32 x = 5;\n"
    ".visible .entry other() { ret; }\n"
    ".visible .entry k(.param .u64 to) {\n"
    "  .reg .b64 %rd<3>;\n  ld.param.u64 %rd1, [to];\n  mov.u64 %rd2, x;\n  st.global.u64 [%rd1], %rd2;\n  ret;\n}\n";

struct SampleLaunch {
  SampleLaunch() {
    memory.place_code(10);
    first = memory.allocate(100, "first");
    const std::uint64_t hole = memory.allocate(5000, "hole");
    large = memory.allocate(3 << 20, "large");
    memory.free(hole);
    module = std::make_unique<simt::LoadedModule>(ptx::parse(kSamplePtx, "p.0.ptx"), memory);
    std::memset(memory.find(first, 100), 0xab, 100);
    *memory.find(large + (2 << 20), 1) = std::byte{7};
    launch.program = &module->kernel("k");
    launch.memory = &memory;
    launch.grid = {4, 2, 1};
    launch.block = {32, 1, 1};
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &first, 8);
    launch.dynamic_shared_bytes = 16;
    launch.grid_id = 3;
  }

  SavedLaunch saved() const { return saved_launch(launch, "p", 4, {{first, 100}, {large, 8}}); }

  simt::DeviceMemory memory{8 << 20};
  std::uint64_t first = 0, large = 0;
  std::unique_ptr<simt::LoadedModule> module;
  simt::Launch launch;
};

}  // namespace warpfork::checkpoint
