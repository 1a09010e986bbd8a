// Operands of instructions on matrices that the lanes of a warp hold together (PTX ISA, "Warp Level Matrix
// Instructions").
#include <fmt/format.h>

#include "base/text.h"
#include "ptx/matrix_shape.h"
#include "ptx/operand_elements.h"
#include "simt/decode_operands.h"
#include "simt/lanes/matrix_rows.h"
#include "simt/matrix_product.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::ScalarType;

constexpr unsigned kRowBytes = 16, kRowsOfAMatrix = 8;

class Fragments {
 public:
  Fragments(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded)
      : source_(source), context_(context), decoded_(decoded) {}

  void add(std::size_t operand, unsigned registers, ScalarType type) {
    const auto elements = ptx::elements_of(source_.operands[operand]);
    if (elements.size() != registers)
      context_.operands.fail(
          fmt::format("a fragment of {} where it has {}", counted(elements.size(), "register"), registers));
    for (const ptx::Operand& element : elements) {
      const std::uint32_t offset =
          operand == 0 ? context_.operands.destination(element, type) : context_.operands.source(element, type);
      const std::uint32_t number = offset / MatrixRows::kRow;
      if (number >= MatrixRows::kNumbers) context_.operands.fail("the kernel has too many registers for matrices");
      if (count_ == MatrixRows::kMost) context_.unsupported(source_);
      MatrixRows::put(decoded_, count_++, number);
    }
  }

 private:
  const ptx::Instruction& source_;
  DecodeContext& context_;
  Instruction& decoded_;
  unsigned count_ = 0;
};

/// Of 8 by 8 elements of 16 bits each: how many.
unsigned matrices_of(const ptx::Instruction& source) {
  return source.has(Modifier::X4) ? 4 : source.has(Modifier::X2) ? 2 : 1;
}

/// ldmatrix, stmatrix: the lowest lanes give the address of a row each.
void rows_in_memory(const ptx::Instruction& source, std::size_t address, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, 2);
  const unsigned matrices = matrices_of(source);
  const auto elements = ptx::elements_of(source.operands[1 - address]);
  if (elements.size() != matrices)
    context.operands.fail("the vector has another number of elements than there are matrices");
  decoded.kind = address == 0 ? InstructionKind::Store : InstructionKind::Load;
  decoded.space = source.space == ptx::StateSpace::Shared ? MemorySpace::Shared : MemorySpace::Generic;
  decoded.access_bytes = kRowBytes;
  decoded.addressing_lanes = static_cast<std::uint8_t>(matrices * kRowsOfAMatrix);
  context.operands.address(source.operands[address], decoded);
  for (std::size_t i = 0; i < elements.size(); ++i)
    decoded.operand[1 + i] = address == 0 ? context.operands.source(elements[i], ScalarType::B32)
                                          : context.operands.destination(elements[i], ScalarType::B32);
  context.select({.instruction = source, .space = decoded.space}, decoded);
}

}  // namespace

void matrix_product(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 4, 4);
  const std::optional<MatrixProduct> product = MatrixProduct::of(source);
  if (!product) context.unsupported(source);
  Fragments fragments(source, context, decoded);
  fragments.add(0, product->registers_of_sum(product->d), register_type(product->d));
  fragments.add(1, product->registers_of_a(), register_type(product->a));
  fragments.add(2, product->registers_of_b(), register_type(product->b));
  fragments.add(3, product->registers_of_sum(product->c), register_type(product->c));
  decoded.steps = static_cast<std::uint8_t>(product->steps());
  context.select({.instruction = source}, decoded);
}

void load_matrix(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  rows_in_memory(source, 1, context, decoded);
}

void store_matrix(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  rows_in_memory(source, 0, context, decoded);
}

void move_matrix(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 2, 2);
  decoded.operand[0] = context.operands.destination(source.operands[0], ScalarType::B32);
  decoded.operand[1] = context.operands.source(source.operands[1], ScalarType::B32);
  context.select({.instruction = source}, decoded);
}

}  // namespace warpfork::simt::decode_operands
