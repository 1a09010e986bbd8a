// Warp instructions a second of the simulated GTX 480, timing on: a compute-bound, a divergent and a memory-bound
// kernel, and the same executed functionally. Build: the target gpu_bench; run it in the root of the sources.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "config/description.h"
#include "gpu/device.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"

namespace {

using namespace warpfork;

constexpr const char* kModule = R"(
.version 4.0
.target sm_35
.address_size 64
.visible .entry compute(.param .u64 buffer)
{
  .reg .b32 %r<20>;
  .reg .f32 %f<12>;
  .reg .pred %p<2>;
  mov.u32 %r1, 100;
LOOP:
  fma.rn.f32 %f1, %f1, %f2, %f3;
  fma.rn.f32 %f4, %f4, %f2, %f3;
  fma.rn.f32 %f5, %f5, %f2, %f3;
  fma.rn.f32 %f6, %f6, %f2, %f3;
  add.u32 %r2, %r2, %r1;
  xor.b32 %r3, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ret;
}
.visible .entry divergent(.param .u64 buffer)
{
  .reg .b32 %r<20>;
  .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  mov.u32 %r3, %r1;
LOOP:
  mad.lo.u32 %r3, %r3, 1664525, 1013904223;
  and.b32 %r4, %r3, 65536;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra OTHER;
  add.u32 %r5, %r5, %r3;
  xor.b32 %r5, %r5, %r2;
  bra NEXT;
OTHER:
  sub.u32 %r5, %r5, %r3;
  shl.b32 %r6, %r5, 2;
NEXT:
  sub.u32 %r2, %r2, 1;
  setp.ge.s32 %p2, %r2, 0;
  @%p2 bra LOOP;
  ret;
}
.visible .entry scatter(.param .u64 buffer)
{
  .reg .b32 %r<20>;
  .reg .b64 %d<6>;
  .reg .pred %p<2>;
  ld.param.u64 %d1, [buffer];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 20;
LOOP:
  mad.lo.u32 %r1, %r1, 1664525, 1013904223;
  shr.u32 %r3, %r1, 12;
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r4, [%d3];
  add.u32 %r1, %r1, %r4;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra LOOP;
  ret;
}
)";

/// A kernel of the module on a grid that fills the machine.
void run(benchmark::State& state, const char* kernel, const char* mechanism, bool functional_only) {
  gpu::MachineSpec spec;
  config::bind(spec, "machines/gtx480.toml");
  spec.divergence.mechanism = mechanism;
  gpu::Device device(spec);
  simt::DeviceMemory memory(std::uint64_t{8} << 20);
  simt::LoadedModule module(ptx::parse(kModule, "bench.ptx"), memory);
  const std::uint64_t buffer = memory.allocate(std::uint64_t{4} << 20, "buffer");
  simt::Launch launch;
  launch.program = &module.kernel(kernel);
  launch.memory = &memory;
  launch.grid = {60, 1, 1};
  launch.block = {192, 1, 1};
  launch.parameters.resize(sizeof buffer);
  std::memcpy(launch.parameters.data(), &buffer, sizeof buffer);
  gpu::LaunchOptions options;
  options.functional_only = functional_only;
  std::uint64_t executed = 0;
  for (auto _ : state) executed += device.run(launch, options).warp_instructions;
  state.counters["warp_instructions/s"] =
      benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(run, compute, "compute", "pdom", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, divergent, "divergent", "pdom", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, divergent_multi_path, "divergent", "multi-path", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, scatter, "scatter", "pdom", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, compute_functional, "compute", "pdom", true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, divergent_functional, "divergent", "pdom", true)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
