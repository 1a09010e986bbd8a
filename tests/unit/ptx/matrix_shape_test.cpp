#include "ptx/matrix_shape.h"

#include <gtest/gtest.h>

namespace warpfork::ptx {
namespace matrix_shape_test {

std::optional<MatrixShape> shape_of(std::vector<Modifier> words) {
  Instruction instruction;
  instruction.modifiers = std::move(words);
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

}  // namespace matrix_shape_test
}  // namespace warpfork::ptx
