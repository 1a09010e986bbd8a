// Host time of lowering a large kernel: calls inlined, arguments promoted, barriers parted; registers narrowed, lives
// shortened, places given and checked. Build: the target lower_bench.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "lower/lower.h"
#include "lower/register_rules.h"
#include "ptx/parser.h"

namespace {

using namespace warpfork;

constexpr unsigned kAlive = 24;  // blocks for which a value waits for its use

/// Twenty instructions with registers of their own: a load by a computed address, a branch around a few, and sums with
/// values of earlier blocks. Ten blocks are a loop.
std::string block(unsigned n) {
  const unsigned own = 8 * n + 8, far = n < kAlive ? 1 : own - 8 * kAlive, near = n == 0 ? 1 : own - 8;
  std::string text = fmt::format("L{}:\n  mul.wide.u32 %rd{}, %r{}, 4;\n  add.s64 %rd{}, %rd1, %rd{};\n", n, own,
                                 near + 1, own + 1, own);
  text += fmt::format("  ld.global.u32 %r{}, [%rd{}+16];\n  mad.lo.s32 %r{}, %r{}, %r{}, %r{};\n", own, own + 1,
                      own + 1, own, near, far);
  text += fmt::format("  setp.gt.s32 %p{}, %r{}, {};\n  @%p{} bra S{};\n", n + 1, own + 1, n, n + 1, n);
  for (unsigned i = 0; i < 6; ++i)
    text += fmt::format("  add.s32 %r{}, %r{}, %r{};\n", own + 1, own + 1, i % 2 == 0 ? far : own);
  text +=
      fmt::format("S{}:\n  mov.u32 %r{}, {};\n  xor.b32 %r{}, %r{}, %r{};\n", n, own + 2, n, own + 3, own + 1, own + 2);
  for (unsigned i = 4; i < 8; ++i)
    text += fmt::format("  add.s32 %r{}, %r{}, %r{};\n", own + i, own + i - 1, i % 2 == 0 ? far + 1 : near + 1);
  text += fmt::format("  st.global.u32 [%rd{}], %r{};\n  cvt.u64.u32 %rd{}, %r{};\n", own + 1, own + 7, own + 2, own);
  return n % 10 == 9 ? text + fmt::format("  @%p{} bra L{};\n", n + 1, n - 9) : text + "  mov.u32 %r2, %tid.x;\n";
}

std::string kernel(unsigned blocks) {
  std::string text = fmt::format(
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n.reg .b32 %r<{0}>;\n"
      ".reg .b64 %rd<{0}>;\n.reg .pred %p<{1}>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, "
      "%ntid.x;\n",
      8 * blocks + 16, blocks + 2);
  for (unsigned n = 0; n < blocks; ++n) text += block(n);
  return text + "ret;\n}\n";
}

/// range(0): blocks of twenty instructions.
void lower_kernel(benchmark::State& state) {
  const ptx::Module module = ptx::parse(kernel(static_cast<unsigned>(state.range(0))), "k.ptx");
  const ptx::Function& entry = *module.find_function("k");
  lower::RegisterRules rules;  // of a gtx480
  rules.allocate = true;
  rules.of_thread = 63;
  rules.of_core = 32768;
  rules.threads = 1536;
  rules.granularity = 4;
  std::size_t instructions = 0;
  unsigned registers = 0;
  for (auto _ : state) {
    ptx::Function flat = lower::lower(module, entry, {[](std::string_view) { return false; }});
    instructions = flat.body.size();
    registers = lower::place_registers(flat, rules)->vector_registers;
  }
  state.counters["instructions"] = static_cast<double>(instructions);
  state.counters["registers"] = registers;
}
BENCHMARK(lower_kernel)->ArgName("blocks")->Arg(25)->Arg(250)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
