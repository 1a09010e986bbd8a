#include "ptx/matrix_shape.h"

#include <gtest/gtest.h>

namespace warpfork::ptx {
namespace matrix_shape_test {

std::optional<MatrixShape> shape_of(const ModifierList& words) {
  Instruction instruction;
  instruction.modifiers = words;
  return matrix_shape(instruction);
}

TEST(MatrixShape, is_what_one_of_the_words_says) {
  EXPECT_EQ(shape_of({Modifier::Mma, Modifier::M16n8k16, Modifier::Row}), (MatrixShape{16, 8, 16}));
  EXPECT_EQ(shape_of({Modifier::M8n32k16}), (MatrixShape{8, 32, 16}));
  EXPECT_EQ(shape_of({Modifier::M8n8}), (MatrixShape{8, 8, 0}));
}

TEST(MatrixShape, is_not_made_of_other_words) {
  EXPECT_EQ(shape_of({Modifier::Min, Modifier::Max, Modifier::Mma, Modifier::Mmio}), std::nullopt);
  EXPECT_EQ(shape_of({}), std::nullopt);
}

TEST(MatrixShape, has_no_depth_where_no_word_says_so) {
  EXPECT_EQ(shape_of({Modifier::M8n8}), (MatrixShape{8, 8, 0}));
  EXPECT_EQ(shape_of({Modifier::Row, Modifier::M16n16k16, Modifier::M8n8}), (MatrixShape{16, 16, 16}));
}

// PTX ISA, "Matrix Fragments": two halves, four bytes or eight of four bits in a register, and one tf32.
TEST(MatrixShape, puts_as_many_elements_into_a_register_as_fit) {
  EXPECT_EQ(elements_of_register(ScalarType::F16), 2u);
  EXPECT_EQ(elements_of_register(ScalarType::Bf16), 2u);
  EXPECT_EQ(elements_of_register(ScalarType::S8), 4u);
  EXPECT_EQ(elements_of_register(ScalarType::U4), 8u);
  EXPECT_EQ(elements_of_register(ScalarType::B1), 32u);
  EXPECT_EQ(elements_of_register(ScalarType::Tf32), 1u);
  EXPECT_EQ(elements_of_register(ScalarType::F64), 1u);
}

}  // namespace matrix_shape_test
}  // namespace warpfork::ptx
