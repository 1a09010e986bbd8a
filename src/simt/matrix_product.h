// What a product of matrices is made of (PTX ISA, "mma"): numbers, shape, and the registers of its fragments.
#pragma once

#include <optional>

#include "ptx/matrix_shape.h"
#include "simt/timing_class.h"

namespace warpfork::simt {

/// D = A · B + C, where n is 8: a lane of 32 has the same number of elements of each.
struct MatrixProduct {
  ptx::MatrixShape shape;
  ptx::ScalarType d{}, a{}, b{}, c{};

  /// Nothing if no mma has these types in this shape.
  static std::optional<MatrixProduct> of(const ptx::Instruction& instruction);

  unsigned registers_of_a() const;
  unsigned registers_of_b() const;
  /// Of C or D, in that type.
  unsigned registers_of_sum(ptx::ScalarType type) const;

  TimingClass timing() const;
  /// How many times its class's smallest product it is.
  unsigned steps() const;
};

/// What a register of such elements is declared as: .f32 and .f64, else .b32.
ptx::ScalarType register_type(ptx::ScalarType type);

}  // namespace warpfork::simt
