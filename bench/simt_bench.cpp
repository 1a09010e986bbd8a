// Warp instructions a second of the functional executor alone: no timing model, warps in turn, one core.
// Build: the target simt_bench. Mixes after host-speed measurements: A has one load in sixteen, B three and a store.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "ptx/parser.h"
#include "simt/launch.h"
#include "simt/loaded_module.h"

namespace {

using namespace warpfork;
using namespace warpfork::simt;

constexpr const char* kPrologue = R"(
.version 4.0
.target sm_35
.address_size 64
.visible .entry mix(.param .u64 buffer)
{
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<12>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [buffer];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  cvt.rn.f32.u32 %f1, %r1;
  mov.f32 %f2, 0f3F800000;
)";

constexpr const char* kArithmetic = R"(
  mad.lo.s32 %r2, %r1, %r3, %r2;
  add.s32 %r3, %r2, 17;
  fma.rn.f32 %f3, %f1, %f2, %f3;
  mul.f32 %f4, %f3, %f1;
  xor.b32 %r4, %r3, %r2;
  setp.lt.s32 %p1, %r4, %r3;
  selp.b32 %r5, %r4, %r3, %p1;
  add.f32 %f5, %f4, %f3;
  mov.u32 %r6, %r5;
  shl.b32 %r7, %r6, 3;
  sub.s32 %r8, %r7, %r2;
  and.b32 %r9, %r8, 255;
  fma.rn.f32 %f6, %f5, %f2, %f4;
  mul.lo.s32 %r10, %r9, %r8;
)";

std::string mix(bool many_loads) {
  std::string text = std::string(kPrologue) + kArithmetic + "  ld.global.u32 %r11, [%rd3];\n  add.s64 %rd4, %rd3, 4;\n";
  if (many_loads)
    text += "  ld.global.u32 %r12, [%rd3+128];\n  ld.global.f32 %f7, [%rd3+256];\n  st.global.u32 [%rd3], %r11;\n";
  return text + "  ret;\n}\n";
}

/// range(0): mix A or B; range(1): warps in turn; range(2): the active mask.
void run_mix(benchmark::State& state) {
  DeviceMemory memory(1 << 20);
  LoadedModule module(ptx::parse(mix(state.range(0) != 0), "mix.ptx"), memory);
  Launch launch;
  launch.program = &module.kernel("mix");
  launch.memory = &memory;
  launch.block = {static_cast<unsigned>(state.range(1)) * 32, 1, 1};
  const std::uint64_t buffer = memory.allocate(1 << 16, "buffer");
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &buffer, 8);
  BlockContext block(launch);
  block.start({0, 0, 0});
  const auto active = RowLanes(static_cast<std::uint32_t>(state.range(2)));
  std::uint64_t executed = 0;
  for (auto _ : state) {
    for (const Instruction& instruction : launch.program->code) {
      if (!instruction.handler) continue;
      for (WarpId id = 0; id < launch.warps_per_block(); ++id) {
        WarpContext& warp = block.warp(id);
        instruction.handler(instruction, warp, guarded(instruction, warp, active));
      }
      executed += launch.warps_per_block();
    }
  }
  state.counters["warp_instructions/s"] =
      benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}
BENCHMARK(run_mix)->ArgsProduct({{0, 1}, {1, 32}, {0xffffffff, 0x0f0f3355}});

}  // namespace

BENCHMARK_MAIN();
