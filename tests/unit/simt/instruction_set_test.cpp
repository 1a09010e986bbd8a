// The two builds of the lane handlers give the same bits, whatever the operands and the mask.
#include <gtest/gtest.h>

#include <random>

#include "one_warp.h"

namespace warpfork::simt {
namespace instruction_set_test {

const char* const kBodies[] = {
    "fma.rn.f32 %r0, %r1, %r2, %r3;", "add.ftz.f32 %r0, %r1, %r2;",     "mul.sat.f32 %r0, %r1, %r2;",
    "div.rn.f32 %r0, %r1, %r2;",      "fma.rz.f32 %r0, %r1, %r2, %r3;", "fma.rn.f64 %d0, %d1, %d2, %d3;",
    "sqrt.rn.f32 %r0, %r1;",          "rsqrt.approx.f32 %r0, %r1;",     "sin.approx.f32 %r0, %r1;",
    "ex2.approx.f32 %r0, %r1;",       "lg2.approx.f32 %r0, %r1;",       "cvt.rn.f32.u32 %r0, %r1;",
    "cvt.rzi.s32.f32 %r0, %r1;",      "cvt.rn.f32.u64 %r0, %d1;",       "cvt.rzi.u64.f32 %d0, %r1;",
    "mad.lo.s32 %r0, %r1, %r2, %r3;", "mul.hi.s32 %r0, %r1, %r2;",      "mul.wide.u32 %d0, %r1, %r2;",
    "shl.b32 %r0, %r1, %r2;",         "bfe.s32 %r0, %r1, %r2, %r3;",    "min.f32 %r0, %r1, %r2;",
    "set.ltu.u32.f32 %r0, %r1, %r2;", "mul.lo.u64 %d0, %d1, %d2;",      "fma.rn.f16x2 %r0, %r1, %r2, %r3;",
};

/// Rows of random bits, now and then special values.
Lanes32 random_row(std::mt19937& random) {
  constexpr std::uint32_t kSpecial[] = {0, 1, 0x80000000, 0x7f800000, 0x7fc12345, 0xff800001, 0x3f800000, 0x00800000};
  Lanes32 row;
  for (std::uint32_t& value : row)
    value = random() % 4 == 0 ? kSpecial[random() % 8] : static_cast<std::uint32_t>(random());
  return row;
}

struct Result {
  Lanes32 r;
  Lanes64 d;
  bool operator==(const Result&) const = default;
};

Result run(const std::string& body, HostInstructionSet set, unsigned seed) {
  std::mt19937 random(seed);
  OneWarp warp("mov.b64 %d1, {%r1, %r2};\nmov.b64 %d2, {%r3, %r1};\nmov.b64 %d3, {%r2, %r3};\n" + body, set);
  for (const char* name : {"%r0", "%r1", "%r2", "%r3"}) warp.set(name, random_row(random));
  warp.run(RowLanes(seed % 2 ? ~0u : static_cast<std::uint32_t>(random())));
  Result result{warp.lanes("%r0"), {}};
  for (unsigned lane = 0; lane < 32; ++lane) result.d[lane] = warp.lane64("%d0", lane);
  return result;
}

TEST(InstructionSet, all_builds_agree_on_every_bit) {
  if (host_instruction_set() == HostInstructionSet::Baseline) GTEST_SKIP() << "this host runs the baseline only";
  for (const HostInstructionSet set : {HostInstructionSet::Avx2, HostInstructionSet::Avx512}) {
    if (set > host_instruction_set()) continue;
    for (const std::string body : kBodies)
      for (unsigned seed = 0; seed < 40; ++seed)
        ASSERT_EQ(run(body, HostInstructionSet::Baseline, seed), run(body, set, seed)) << body << seed;
  }
}

}  // namespace instruction_set_test
}  // namespace warpfork::simt
