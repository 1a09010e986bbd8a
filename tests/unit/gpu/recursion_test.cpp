// Recursive functions under every mechanism, on lanes of every kind, with scalar registers and without: what a thread
// computes depends on nobody's way but its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "config/description.h"
#include "divergence/registry.h"
#include "gpu/code_options.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace recursion_test {

/// One that calls itself twice, and two that call each other with an array on the stack.
const std::string kFunctions = R"(
.func (.reg .b32 %s) fibonacci(.reg .b32 %n)
{
  .reg .b32 %a, %b;
  .reg .pred %q;
  mov.u32 %s, %n;
  setp.lt.u32 %q, %n, 2;
  @%q ret;
  sub.u32 %a, %n, 1;
  call (%a), fibonacci, (%a);
  sub.u32 %b, %n, 2;
  call (%b), fibonacci, (%b);
  add.u32 %s, %a, %b;
  ret;
}
.func (.reg .b32 %s) odd(.reg .b32 %n, .reg .b64 %above);
.func (.reg .b32 %s) even(.reg .b32 %n, .reg .b64 %above)
{
  .reg .b32 %m, %v;
  .reg .b64 %own;
  .reg .pred %q;
  .local .align 8 .b8 own[8];
  mov.u64 %own, own;
  st.local.u32 [own+4], %n;
  ld.local.u32 %s, [%above];
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  add.u64 %own, %own, 4;
  sub.u32 %m, %n, 1;
  call (%s), odd, (%m, %own);
  ld.local.u32 %v, [own+4];
  mad.lo.u32 %s, %s, 3, %v;
  ret;
}
.func (.reg .b32 %s) odd(.reg .b32 %n, .reg .b64 %above)
{
  .reg .b32 %m, %v;
  .reg .pred %q;
  ld.local.u32 %v, [%above];
  add.u32 %v, %v, 10;
  st.local.u32 [%above], %v;
  mov.u32 %s, 1;
  setp.eq.u32 %q, %n, 0;
  @%q ret;
  sub.u32 %m, %n, 1;
  call (%s), even, (%m, %above);
  xor.b32 %s, %s, %n;
  ret;
}
)";

/// Both by the thread's number, and a vote where all have come back.
const std::string kBody = R"(
  .local .align 4 .b8 first[4];
  rem.u32 %r0, %thread, 9;
  call (%r1), fibonacci, (%r0);
  and.b32 %r2, %thread, 15;
  st.local.u32 [first], %thread;
  mov.u64 %d0, first;
  call (%r3), even, (%r2, %d0);
  ld.local.u32 %r4, [first];
  bar.sync 0;
  mad.lo.u32 %r1, %r1, 1000, %r3;
  mad.lo.u32 %r1, %r4, 3, %r1;
  st.global.u32 [%mine], %r1;
  ret;)";

unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
unsigned odd(unsigned n, unsigned& above);
unsigned even(unsigned n, unsigned above) {
  unsigned own = n;
  if (n == 0) return above;
  const unsigned below = odd(n - 1, own);
  return below * 3 + own;
}
unsigned odd(unsigned n, unsigned& above) {
  above += 10;
  return n == 0 ? 1 : even(n - 1, above) ^ n;
}

/// Parameters: machine, lane organisation, mechanism, rule of scalarization.
class Recursion : public ::testing::TestWithParam<std::tuple<const char*, const char*, std::string, const char*>> {};

TEST_P(Recursion, gives_each_thread_its_results) {
  const auto& [machine, lanes, mechanism, rule] = GetParam();
  MachineSpec spec;
  config::bind(spec, "machines/" + std::string(machine) + ".toml");
  spec.cores = 2;
  spec.core.lanes.organisation = lanes;
  spec.core.scalarize = rule;
  spec.divergence.mechanism = mechanism;
  const Kernel kernel(kBody, {3, 1, 1}, {90, 1, 1}, 270, kFunctions, code_options(spec));
  LaunchOptions options;
  options.check_scalars = std::string(rule) != "off";
  kernel.run(spec, options);
  for (unsigned i = 0; i < 270; ++i) EXPECT_EQ(kernel.out()[i], fibonacci(i % 9) * 1000 + even(i % 16, i) + i * 3) << i;
}

std::string name_of(const ::testing::TestParamInfo<Recursion::ParamType>& info) {
  const auto& [machine, lanes, mechanism, rule] = info.param;
  std::string name = std::string(machine) + "_" + lanes + "_" + mechanism + "_" + rule;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Recursion,
                         ::testing::Combine(::testing::Values("gtx480"), ::testing::Values("simt"),
                                            ::testing::ValuesIn(divergence_mechanism_names()),
                                            ::testing::Values("off")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Lanes, Recursion,
                         ::testing::Combine(::testing::Values("tesla30"),
                                            ::testing::Values("tsimt-plus", "stsimt4", "simt-scalar"),
                                            ::testing::Values("pdom", "dual-path", "multi-path", "multi-path-or",
                                                              "thread-frontier", "convergence-barrier"),
                                            ::testing::Values("off", "divergent", "convergent-only")),
                         name_of);

}  // namespace recursion_test
}  // namespace warpfork::gpu
