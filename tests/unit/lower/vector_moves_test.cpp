// mov of whole vectors (PTX ISA, "mov": vectors of two and four elements).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace vector_moves_test {

using testing::ElementsAre;

TEST(VectorMoves, are_one_move_for_each_element_under_the_same_guard) {
  EXPECT_THAT(lowered_lines("@%p1 mov.v2.u32 {%r0, %r1}, {%r2, -1};\nret;"),
              ElementsAre("@%p1 mov.u32 %r0, %r2;", "@%p1 mov.u32 %r1, -1;", "ret;"));
}

TEST(VectorMoves, take_special_registers_apart_and_leave_out_what_is_not_wanted) {
  EXPECT_THAT(lowered_lines("mov.v4.u32 {%r0, _, %r1, _}, %tid;\nret;"),
              ElementsAre("mov.u32 %r0, %tid.x;", "mov.u32 %r1, %tid.z;", "ret;"));
}

TEST(VectorMoves, read_all_elements_before_one_is_written) {
  EXPECT_THAT(lowered_lines("mov.v2.b32 {%r0, %r1}, {%r1, %r0};\nret;"),
              ElementsAre("mov.b32 %part40, %r1;", "mov.b32 %part41, %r0;", "mov.b32 %r0, %part40;",
                          "mov.b32 %r1, %part41;", "ret;"));
}

}  // namespace vector_moves_test
}  // namespace warpfork::lower
