// PTX ISA, "Warp Level Matrix Instructions": mma, wmma, ldmatrix, stmatrix, movmatrix. Every lane of the warp must be
// there.
#include <array>
#include <functional>

#include "ptx/matrix_shape.h"
#include "ptx/operand_elements.h"
#include "reference/byte_float.h"
#include "reference/execute.h"
#include "reference/soft_float.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using Threads = std::vector<Thread*>;

constexpr unsigned kWarp = 32;

/// Bit patterns of elements, by row and column.
class Matrix {
 public:
  Matrix(unsigned rows, unsigned columns) : columns_(columns), bits_(std::size_t{rows} * columns) {}
  std::uint64_t& at(unsigned row, unsigned column) { return bits_.at(std::size_t{row} * columns_ + column); }
  std::uint64_t& at(std::size_t number) { return bits_.at(number); }
  std::size_t size() const { return bits_.size(); }
  unsigned columns() const { return columns_; }

 private:
  unsigned columns_;
  std::vector<std::uint64_t> bits_;
};

unsigned elements_in_register(ScalarType type) { return ptx::bits_of(type) < 32 ? 32 / ptx::bits_of(type) : 1; }

/// The element of that number of a fragment.
std::uint64_t read_element(const Thread& thread, const ptx::Operand& fragment, ScalarType type, unsigned number) {
  const unsigned each = elements_in_register(type), bits = ptx::bits_of(type);
  const ptx::Operand& holder = ptx::elements_of(fragment)[number / each];
  const std::uint64_t held = thread.read(holder, bits == 64 ? ScalarType::B64 : ScalarType::B32);
  return truncate(held >> number % each * bits, bits);
}

/// Results of a fragment, element by element; what is not set is zero.
class Results {
 public:
  Results(const ptx::Operand& fragment, ScalarType type) : fragment_(fragment), type_(type) {
    words_.resize(ptx::elements_of(fragment).size());
  }
  void set(unsigned number, std::uint64_t bits) {
    const unsigned each = elements_in_register(type_);
    words_.at(number / each) |= bits << number % each * ptx::bits_of(type_);
  }
  void write(Thread& thread) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      thread.write(ptx::elements_of(fragment_)[i], words_[i],
                   ptx::bits_of(type_) == 64 ? ScalarType::B64 : ScalarType::B32);
  }

 private:
  const ptx::Operand& fragment_;
  ScalarType type_;
  std::vector<std::uint64_t> words_;
};

struct Place2d {
  unsigned row, column;
};

enum class Part { A, B, Sum };

/// "Matrix Fragments for mma": which element the i-th of a lane is.
Place2d element_of_mma(Part part, const ptx::MatrixShape& shape, ScalarType type, unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, thread = lane % 4, each = elements_in_register(type);
  if (part == Part::Sum) return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
  const unsigned along = thread * each + i % each;
  if (part == Part::B) return {along + i / each * 4 * each, group};
  if (shape.m == 8) return {group, along + i / each * 4 * each};
  return {i / each % 2 == 0 ? group : group + 8, along + i / (2 * each) * 4 * each};
}

FloatFormat format_of(ScalarType type) {
  if (type == ScalarType::F16) return kF16;
  if (type == ScalarType::Bf16) return kBf16;
  return type == ScalarType::F64 ? kF64 : kF32;
}

Real number(std::uint64_t bits, ScalarType type) {
  if (const ByteFormat* bytes = byte_format(type)) return value_of_byte(bits, *bytes);
  if (type == ScalarType::Tf32) bits &= ~std::uint64_t{0x1fff};
  return decode(bits, format_of(type));
}

/// One element of D: products in the order of k, each sum rounded; of .f16 the sums are those of .f32 until the end.
std::uint64_t float_sum(Matrix& a, Matrix& b, std::uint64_t c, Place2d at, const ptx::TypeList& types) {
  const FloatFormat format = types[0] == ScalarType::F64 ? kF64 : kF32;
  std::uint64_t sum = encode(number(c, types[3]), format, Rounding::NearestEven);
  for (unsigned k = 0; k < a.columns(); ++k) {
    const Real product = multiply(number(a.at(at.row, k), types[1]), number(b.at(k, at.column), types[2]));
    sum = encode(add(decode(sum, format), product, Rounding::NearestEven), format, Rounding::NearestEven);
  }
  return encode(decode(sum, format), format_of(types[0]), Rounding::NearestEven);
}

std::int64_t integer(std::uint64_t bits, ScalarType type) {
  return ptx::is_signed(type) ? sign_extend(bits, ptx::bits_of(type)) : static_cast<std::int64_t>(bits);
}

std::uint64_t integer_sum(Matrix& a, Matrix& b, std::uint64_t c, Place2d at, const ptx::TypeList& types,
                          bool saturates) {
  std::int64_t sum = sign_extend(c, 32);
  for (unsigned k = 0; k < a.columns(); ++k)
    sum += integer(a.at(at.row, k), types[1]) * integer(b.at(k, at.column), types[2]);
  if (saturates && sum > INT32_MAX) sum = INT32_MAX;
  if (saturates && sum < INT32_MIN) sum = INT32_MIN;
  return truncate(static_cast<std::uint64_t>(sum), 32);
}

/// By place, lane and number of an element within the lane's fragment.
using Layout = std::function<Place2d(Part, unsigned, unsigned)>;

Matrix gather(const Threads& threads, std::size_t operand, Part part, Matrix matrix, ScalarType type,
              const Layout& layout) {
  for (const Thread* thread : threads)
    for (unsigned i = 0; i < matrix.size() / kWarp; ++i) {
      const Place2d place = layout(part, thread->lane(), i);
      matrix.at(place.row, place.column) = read_element(*thread, thread->operand(operand), type, i);
    }
  return matrix;
}

void multiply_matrices(const Threads& threads, const ptx::MatrixShape& shape, const ptx::TypeList& types,
                       const Layout& layout) {
  Matrix a = gather(threads, 1, Part::A, Matrix(shape.m, shape.k), types[1], layout);
  Matrix b = gather(threads, 2, Part::B, Matrix(shape.k, shape.n), types[2], layout);
  Matrix c = gather(threads, 3, Part::Sum, Matrix(shape.m, shape.n), types[3], layout);
  const bool saturates = threads.front()->instruction().has(Modifier::Satfinite);
  for (Thread* thread : threads) {
    Results results(thread->operand(0), types[0]);
    for (unsigned i = 0; i < c.size() / kWarp; ++i) {
      const Place2d at = layout(Part::Sum, thread->lane(), i);
      const std::uint64_t start = c.at(at.row, at.column);
      results.set(i, types[0] == ScalarType::S32 ? integer_sum(a, b, start, at, types, saturates)
                                                 : float_sum(a, b, start, at, types));
    }
    results.write(*thread);
  }
}

void mma(const Threads& threads, const ptx::MatrixShape& shape) {
  const ptx::TypeList types = threads.front()->instruction().types;
  if (types.size() != 4) threads.front()->reject("this form of mma is not supported");
  multiply_matrices(threads, shape, types, [&](Part part, unsigned lane, unsigned i) {
    return element_of_mma(part, shape, types[part == Part::B ? 2 : 1], lane, i);
  });
}

/// PTX leaves the fragments of wmma open: here each lane has elements that follow one another by row.
Place2d element_of_wmma(Part part, const ptx::MatrixShape& shape, unsigned lane, unsigned i) {
  const unsigned rows = part == Part::B ? shape.k : shape.m, columns = part == Part::A ? shape.k : shape.n;
  const unsigned number = lane * (rows * columns / kWarp) + i;
  return {number / columns, number % columns};
}

void wmma_product(const Threads& threads, const ptx::MatrixShape& shape) {
  ptx::TypeList types = threads.front()->instruction().types;
  if (types.size() == 2) types = {types[0], ScalarType::F16, ScalarType::F16, types[1]};
  multiply_matrices(threads, shape, types,
                    [&](Part part, unsigned lane, unsigned i) { return element_of_wmma(part, shape, lane, i); });
}

void wmma_transfer(Thread& thread, const ptx::MatrixShape& shape) {
  const Instruction& instruction = thread.instruction();
  const bool loads = instruction.has(Modifier::Load);
  const Part part = instruction.has(Modifier::A) ? Part::A : instruction.has(Modifier::B) ? Part::B : Part::Sum;
  const ScalarType type = instruction.types.at(0);
  const unsigned rows = part == Part::B ? shape.k : shape.m, columns = part == Part::A ? shape.k : shape.n;
  const bool by_row = instruction.has(Modifier::Row);
  const std::uint64_t stride = thread.has_operand(2) ? thread.read(2, ScalarType::U32) : by_row ? columns : rows;
  const auto* address = thread.operand(loads ? 1 : 0).as<ptx::AddressOperand>();
  if (address == nullptr) thread.reject("the operand is no address");
  const ptx::Operand& fragment = thread.operand(loads ? 0 : 1);
  Results results(fragment, type);
  for (unsigned i = 0; i < rows * columns / kWarp; ++i) {
    const Place2d at = element_of_wmma(part, shape, thread.lane(), i);
    Place place = thread.place_of(*address);
    const std::uint64_t element = by_row ? at.row * stride + at.column : at.column * stride + at.row;
    place.address += element * ptx::bytes_of(type);
    if (loads)
      results.set(i, thread.load(place, ptx::bytes_of(type)));
    else
      thread.store(place, ptx::bytes_of(type), read_element(thread, fragment, type, i));
  }
  if (loads) results.write(thread);
}

void wmma(const Threads& threads, const ptx::MatrixShape& shape) {
  if (threads.front()->instruction().has(Modifier::Mma)) return wmma_product(threads, shape);
  for (Thread* thread : threads) wmma_transfer(*thread, shape);
}

/// The address of a row of 8 elements of 16 bits: lane 8 · matrix + row gives it.
Place row_of(const Threads& threads, std::size_t operand, unsigned matrix, unsigned row) {
  const Thread& giver = *threads.at(8 * matrix + row);
  const auto* address = giver.operand(operand).as<ptx::AddressOperand>();
  if (address == nullptr) giver.reject("the operand is no address");
  const Place place = giver.place_of(*address);
  if (place.address % 16 != 0) giver.reject("the address of the row is misaligned");
  return place;
}

/// The two elements of a lane: neighbours in a row, or with .trans in a column.
std::array<Place2d, 2> pair_of(unsigned lane, bool transposed) {
  const unsigned line = lane / 4, first = lane % 4 * 2;
  if (transposed) return {Place2d{first, line}, Place2d{first + 1, line}};
  return {Place2d{line, first}, Place2d{line, first + 1}};
}

void move_rows(const Threads& threads, bool loads) {
  const bool transposed = threads.front()->instruction().has(Modifier::Trans);
  const std::size_t matrices = ptx::elements_of(threads.front()->operand(loads ? 0 : 1)).size();
  std::vector<std::vector<std::uint64_t>> loaded(kWarp);
  for (unsigned matrix = 0; matrix < matrices; ++matrix)
    for (Thread* thread : threads)
      for (unsigned i = 0; i < 2; ++i) {
        const Place2d at = pair_of(thread->lane(), transposed)[i];
        Place place = row_of(threads, loads ? 1 : 0, matrix, at.row);
        place.address += 2 * at.column;
        if (loads)
          loaded[thread->lane()].push_back(thread->load(place, 2));
        else
          thread->store(place, 2, read_element(*thread, thread->operand(1), ScalarType::B16, 2 * matrix + i));
      }
  if (!loads) return;
  for (Thread* thread : threads) {
    Results results(thread->operand(0), ScalarType::B16);
    for (unsigned i = 0; i < loaded[thread->lane()].size(); ++i) results.set(i, loaded[thread->lane()][i]);
    results.write(*thread);
  }
}

void transpose(const Threads& threads) {
  Matrix matrix(8, 8);
  for (const Thread* thread : threads)
    for (unsigned i = 0; i < 2; ++i) {
      const Place2d at = pair_of(thread->lane(), false)[i];
      matrix.at(at.row, at.column) = read_element(*thread, thread->operand(1), ScalarType::B16, i);
    }
  for (Thread* thread : threads) {
    Results results(thread->operand(0), ScalarType::B16);
    for (unsigned i = 0; i < 2; ++i) {
      const Place2d at = pair_of(thread->lane(), true)[i];
      results.set(i, matrix.at(at.row, at.column));
    }
    results.write(*thread);
  }
}

}  // namespace

bool is_of_matrices(Opcode opcode) {
  return opcode == Opcode::Wmma || opcode == Opcode::Mma || opcode == Opcode::Ldmatrix || opcode == Opcode::Stmatrix ||
         opcode == Opcode::Movmatrix;
}

void execute_matrix(const Threads& threads) {
  const Instruction& instruction = threads.front()->instruction();
  if (threads.size() != kWarp) threads.front()->reject("some thread of the warp is not there");
  const auto shape = ptx::matrix_shape(instruction);
  if (!shape) threads.front()->reject("matrices without a shape");
  switch (instruction.opcode) {
    case Opcode::Mma:
      return mma(threads, *shape);
    case Opcode::Wmma:
      return wmma(threads, *shape);
    case Opcode::Movmatrix:
      return transpose(threads);
    default:
      return move_rows(threads, instruction.opcode == Opcode::Ldmatrix);
  }
}

}  // namespace warpfork::reference
