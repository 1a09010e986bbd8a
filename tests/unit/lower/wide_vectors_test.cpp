// What loads and stores of eight elements become (PTX ISA, "ld", "st").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace wide_vectors_test {

using testing::ElementsAre;

TEST(WideVectors, are_two_of_four_elements) {
  EXPECT_THAT(lowered_lines("@%p1 ld.global.nc.v8.f32 {%f1, _, %f3, %f4, %f5, %f6, %f7, %f0}, [%rd1+8];\nret;"),
              ElementsAre("@%p1 ld.global.nc.v4.f32 {%f1, _, %f3, %f4}, [%rd1+8];",
                          "@%p1 ld.global.nc.v4.f32 {%f5, %f6, %f7, %f0}, [%rd1+24];", "ret;"));
  EXPECT_THAT(lowered_lines("st.v8.b32 [%rd1], {%r1, 2, %r3, %r4, %r5, %r6, %r7, 8};\nret;"),
              ElementsAre("st.v4.b32 [%rd1], {%r1, 2, %r3, %r4};", "st.v4.b32 [%rd1+16], {%r5, %r6, %r7, 8};", "ret;"));
}

TEST(WideVectors, keep_their_address_until_both_are_read) {
  EXPECT_THAT(lowered_lines("ld.global.v8.u32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r0}, [%r2];\nret;"),
              ElementsAre("ld.global.v4.u32 {%r5, %r6, %r7, %r0}, [%r2+16];",
                          "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%r2];", "ret;"));
}

TEST(WideVectors, of_64_bits_are_left) {
  EXPECT_EQ(lowered("ld.global.v8.u64 {%rd1, %rd2, %rd3, %rd4, %rd5, %rd6, %rd7, %rd0}, [%rd3];\nret;").body.size(),
            2u);
}

}  // namespace wide_vectors_test
}  // namespace warpfork::lower
