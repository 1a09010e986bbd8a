// Shapes of matrix instructions, `.m16n8k16` (PTX ISA, "Matrix Shape").
#pragma once

#include <optional>

#include "ptx/instruction.h"

namespace warpfork::ptx {

/// Of a product: A has m rows and k columns, B has k rows and n columns, the sum m rows and n columns. k is 0 where a
/// shape is that of one matrix.
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// The shape that one of the instruction's dotted words names.
std::optional<MatrixShape> matrix_shape(const Instruction& instruction);

/// How many elements of a fragment lie in a register.
unsigned elements_of_register(ScalarType type);

}  // namespace warpfork::ptx
