// What atomics of several numbers become (PTX ISA, "atom", "red").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace vector_atomics_test {

using testing::ElementsAre;

TEST(VectorAtomics, are_one_for_each_element) {
  EXPECT_THAT(lowered_lines("@%p1 red.global.add.v2.f32 [%rd1+8], {%f1, %f2};\nret;"),
              ElementsAre("@%p1 red.global.add.f32 [%rd1+8], %f1;", "@%p1 red.global.add.f32 [%rd1+12], %f2;", "ret;"));
  EXPECT_EQ(lowered_lines("red.global.add.noftz.v4.f16 [%rd1], {%h1, %h2, %h3, %h4};\nret;")[3],
            "red.global.add.noftz.f16 [%rd1+6], %h4;");
}

TEST(VectorAtomics, give_their_results_when_all_operands_are_read) {
  EXPECT_THAT(lowered_lines("atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f2, %f1};\nret;"),
              ElementsAre("atom.global.add.f32 %part40, [%rd1], %f2;", "atom.global.add.f32 %part41, [%rd1+4], %f1;",
                          "mov.f32 %f1, %part40;", "mov.f32 %f2, %part41;", "ret;"));
}

TEST(VectorAtomics, without_as_many_elements_are_left) {
  for (const std::string line :
       {"red.global.add.v2.f32 [%rd1], {%f1, %f2, %f3};", "red.shared.add.v2.f32 [%r1], {%f1, %f2};",
        "atom.global.add.v2.f32 %f3, [%rd1], {%f1, %f2};"})
    EXPECT_EQ(lowered(line + "\nret;").body.size(), 2u) << line;
}

TEST(CachePolicies, are_zeros) {
  EXPECT_THAT(lowered_lines("@%p1 createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;\nret;"),
              ElementsAre("@%p1 mov.b64 %rd1, 0;", "ret;"));
  EXPECT_THAT(lowered_lines("createpolicy.range.global.L2::evict_first.b64 %rd1, [%rd2], 64, 128;\nret;"),
              ElementsAre("mov.b64 %rd1, 0;", "ret;"));
}

}  // namespace vector_atomics_test
}  // namespace warpfork::lower
