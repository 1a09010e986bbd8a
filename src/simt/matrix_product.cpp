#include "simt/matrix_product.h"

#include <algorithm>
#include <initializer_list>

namespace warpfork::simt {

namespace {

using ptx::MatrixShape;
using ptx::ScalarType;

constexpr unsigned kLanes = 32;

bool is_one_of(ScalarType type, std::initializer_list<ScalarType> types) {
  return std::ranges::find(types, type) != types.end();
}

bool has_shape(const MatrixProduct& product, std::initializer_list<MatrixShape> shapes) {
  return std::ranges::find(shapes, product.shape) != shapes.end();
}

bool sums_are(const MatrixProduct& product, ScalarType type) { return product.d == type && product.c == type; }

/// PTX ISA, "mma", the table of shapes and types.
bool is_known(const MatrixProduct& product) {
  const bool is_of_one_type = product.a == product.b;
  switch (product.a) {
    case ScalarType::F16:
      return is_of_one_type && is_one_of(product.d, {ScalarType::F16, ScalarType::F32}) &&
             is_one_of(product.c, {ScalarType::F16, ScalarType::F32}) && has_shape(product, {{16, 8, 8}, {16, 8, 16}});
    case ScalarType::Bf16:
      return is_of_one_type && sums_are(product, ScalarType::F32) && has_shape(product, {{16, 8, 8}, {16, 8, 16}});
    case ScalarType::Tf32:
      return is_of_one_type && sums_are(product, ScalarType::F32) && has_shape(product, {{16, 8, 4}, {16, 8, 8}});
    case ScalarType::E4m3:
    case ScalarType::E5m2:
      return is_one_of(product.b, {ScalarType::E4m3, ScalarType::E5m2}) &&
             (sums_are(product, ScalarType::F16) || sums_are(product, ScalarType::F32)) &&
             has_shape(product, {{16, 8, 16}, {16, 8, 32}});
    case ScalarType::S8:
    case ScalarType::U8:
      return is_one_of(product.b, {ScalarType::S8, ScalarType::U8}) && sums_are(product, ScalarType::S32) &&
             has_shape(product, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}});
    case ScalarType::S4:
    case ScalarType::U4:
      return is_one_of(product.b, {ScalarType::S4, ScalarType::U4}) && sums_are(product, ScalarType::S32) &&
             has_shape(product, {{8, 8, 32}, {16, 8, 32}});
    case ScalarType::F64:
      return is_of_one_type && sums_are(product, ScalarType::F64) && has_shape(product, {{8, 8, 4}});
    default:
      return false;
  }
}

}  // namespace

std::optional<MatrixProduct> MatrixProduct::of(const ptx::Instruction& instruction) {
  const std::optional<MatrixShape> shape = ptx::matrix_shape(instruction);
  const auto row = std::ranges::find(instruction.modifiers, ptx::Modifier::Row);  // A by row, B by column
  const bool is_by_lines =
      std::find(row, instruction.modifiers.end(), ptx::Modifier::Col) != instruction.modifiers.end();
  if (!shape || !is_by_lines || instruction.types.size() != 4) return std::nullopt;
  const MatrixProduct product{*shape, instruction.types[0], instruction.types[1], instruction.types[2],
                              instruction.types[3]};
  return is_known(product) ? std::optional(product) : std::nullopt;
}

unsigned MatrixProduct::registers_of_a() const { return shape.m * shape.k / kLanes / ptx::elements_of_register(a); }
unsigned MatrixProduct::registers_of_b() const { return shape.k * shape.n / kLanes / ptx::elements_of_register(b); }
unsigned MatrixProduct::registers_of_sum(ScalarType type) const {
  return shape.m * shape.n / kLanes / ptx::elements_of_register(type);
}

TimingClass MatrixProduct::timing() const {
  switch (a) {
    case ScalarType::Tf32:
      return TimingClass::MatrixTf32;
    case ScalarType::S8:
    case ScalarType::U8:
      return TimingClass::MatrixS8;
    case ScalarType::S4:
    case ScalarType::U4:
      return TimingClass::MatrixS4;
    case ScalarType::F64:
      return TimingClass::MatrixF64;
    default:
      return TimingClass::MatrixF16;
  }
}

unsigned MatrixProduct::steps() const { return shape.m * shape.n * shape.k / kLanes / multiply_adds_of(timing()); }

ScalarType register_type(ScalarType type) {
  return type == ScalarType::F32 || type == ScalarType::F64 ? type : ScalarType::B32;
}

}  // namespace warpfork::simt
