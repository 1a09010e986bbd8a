// Code for sm_1x as later machines execute it (PTX ISA, "Floating Point Instructions: mad").
#include "ptx/legacy_instructions.h"

#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace legacy_instructions_test {

std::string first_of(const std::string& target, const std::string& instruction) {
  const Function f = parse_text(".version 1.4\n.target " + target + "\n.entry k { .reg .f32 f<4>; .reg .u32 r<4>; " +
                                instruction + " exit; }")
                         .functions.at(0);
  return to_text(f.body.at(0), f);
}

TEST(LegacyInstructions, a_mad_without_rounding_is_fused_and_flushes) {
  EXPECT_EQ(first_of("sm_13", "mad.f32 f0, f1, f2, f3;"), "fma.rn.ftz.f32 f0, f1, f2, f3;");
  EXPECT_EQ(first_of("sm_10", "mad.sat.f32 f0, f1, f2, f3;"), "fma.rn.ftz.sat.f32 f0, f1, f2, f3;");
  EXPECT_EQ(first_of("sm_20", "mad.f32 f0, f1, f2, f3;"), "mad.f32 f0, f1, f2, f3;");
}

TEST(LegacyInstructions, others_stay) {
  EXPECT_EQ(first_of("sm_13", "mad.rz.f32 f0, f1, f2, f3;"), "mad.rz.f32 f0, f1, f2, f3;");
  EXPECT_EQ(first_of("sm_13", "mad.lo.u32 r0, r1, r2, r3;"), "mad.lo.u32 r0, r1, r2, r3;");
}

}  // namespace legacy_instructions_test
}  // namespace warpfork::ptx
