#include "simt/timing_class.h"

#include <optional>

#include "simt/matrix_product.h"
#include "simt/timing_of.h"

namespace warpfork::simt {

std::string_view to_string(TimingClass timing) {
  constexpr std::string_view kTexts[] = {
#define TIMING_CLASS(name, text) text,
#include "simt/timing_classes.def"
#undef TIMING_CLASS
  };
  return timing < TimingClass::kCount ? kTexts[static_cast<std::size_t>(timing)] : "none";
}

unsigned multiply_adds_of(TimingClass timing) {
  switch (timing) {
#define TIMING_CLASS(name, text)
#define MATRIX_CLASS(name, text, multiply_add, count, steps) \
  case TimingClass::name:                                    \
    return count;
#include "simt/timing_classes.def"
#undef TIMING_CLASS
    default:
      return 1;
  }
}

unsigned most_steps_of(TimingClass timing) {
  switch (timing) {
#define TIMING_CLASS(name, text)
#define MATRIX_CLASS(name, text, multiply_add, count, steps) \
  case TimingClass::name:                                    \
    return steps;
#include "simt/timing_classes.def"
#undef TIMING_CLASS
    default:
      return 1;
  }
}

TimingClass timing_of(const ptx::Instruction& instruction) {
  using enum TimingClass;
  if (instruction.opcode == ptx::Opcode::Mma)
    if (const std::optional<MatrixProduct> product = MatrixProduct::of(instruction)) return product->timing();
  const bool is_float = !instruction.types.empty() && ptx::is_float(instruction.types.front());
  const bool is_double = is_float && instruction.types.front() == ptx::ScalarType::F64;
  const auto choose = [&](TimingClass integer, TimingClass f32, TimingClass f64) {
    return is_double ? f64 : is_float ? f32 : integer;
  };
  switch (instruction.opcode) {
#define OPERATION(opcode, decode, family, integer, f32, f64) \
  case ptx::Opcode::opcode:                                  \
    return choose(integer, f32, f64);
#include "simt/operations.def"
#undef OPERATION
    default:
      return Simple;
  }
}

}  // namespace warpfork::simt
