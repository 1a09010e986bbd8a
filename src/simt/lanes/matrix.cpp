// PTX ISA, "Warp Level Matrix Instructions": mma, ldmatrix, stmatrix, movmatrix, of matrices of which each lane of a
// warp holds a part.
//
// In all fragments lane 4·g + t holds elements of row g and column t of pieces of 8 rows: a register of A or B holds
// neighbours along k, of the rows (of A) or columns (of B) g; a pair of elements of C and D is of row g and columns 2·t
// and 2·t + 1. Further registers are of the rows 8 below, and then of the next k.
#include <array>
#include <cstring>

#include "ptx/matrix_shape.h"
#include "simt/address_map.h"
#include "simt/lanes/address.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/matrix_elements.h"
#include "simt/lanes/matrix_rows.h"
#include "simt/lanes/select.h"
#include "simt/whole_warp.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::MatrixShape;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using std::uint32_t;

constexpr unsigned kPiece = 8, kLanesOfARow = 4;
constexpr unsigned row_of(unsigned lane) { return lane / kLanesOfARow; }
constexpr unsigned column_of(unsigned lane) { return lane % kLanesOfARow; }

template <unsigned M, unsigned K>
struct Product {
  static constexpr unsigned kM = M, kK = K;
};

/// Reads matrix[line][k] from `count` rows that begin with that of number `first`; `lines` of the matrix.
template <typename Elements, unsigned Lines, unsigned K>
void read_factor(const Instruction& instruction, const WarpContext& warp, unsigned first,
                 typename Elements::Number (&matrix)[Lines][K]) {
  constexpr unsigned kOfRegister = Elements::kOfRegister, kPieces = Lines / kPiece;
  constexpr unsigned kRegisters = Lines * K / kRowLanes / kOfRegister;
  for (unsigned i = 0; i < kRegisters; ++i) {
    const Row<typename Elements::Register> row(warp.registers + MatrixRows::offset(instruction, first + i));
    const unsigned line = i % kPieces * kPiece, k = i / kPieces * kLanesOfARow * kOfRegister;
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      for (unsigned element = 0; element < kOfRegister; ++element)
        matrix[line + row_of(lane)][k + column_of(lane) * kOfRegister + element] = Elements::read(row[lane], element);
  }
}

/// visit(row number from `first` on, lane, index in the register, row, column) for the elements of C or D.
template <typename Sums, unsigned M, typename Visit>
void for_sums(unsigned first, Visit visit) {
  for (unsigned i = 0; i < M * kPiece / kRowLanes; ++i)
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      visit(first + i / Sums::kOfRegister, lane, i % Sums::kOfRegister, i / 2 * kPiece + row_of(lane),
            2 * column_of(lane) + i % 2);
}

template <typename Sums, unsigned M, typename Number>
void read_sums(const Instruction& instruction, const WarpContext& warp, unsigned first, Number (&matrix)[M][kPiece]) {
  for_sums<Sums, M>(first, [&](unsigned number, unsigned lane, unsigned index, unsigned row, unsigned column) {
    const Row<typename Sums::Register> from(warp.registers + MatrixRows::offset(instruction, number));
    matrix[row][column] = Sums::read(from[lane], index);
  });
}

template <typename Sums, unsigned M, typename Number>
void write_sums(const Instruction& instruction, WarpContext& warp, const Number (&matrix)[M][kPiece]) {
  typename Sums::Register value[M * kPiece / kRowLanes / Sums::kOfRegister][kRowLanes] = {};
  for_sums<Sums, M>(0, [&](unsigned number, unsigned lane, unsigned index, unsigned row, unsigned column) {
    value[number][lane] |= Sums::bits(matrix[row][column]) << 16 * index;
  });
  for (unsigned number = 0; number < std::size(value); ++number)
    std::memcpy(warp.registers + MatrixRows::offset(instruction, number), value[number], sizeof value[number]);
}

/// In the order of k, beginning with C.
template <typename Shape, typename A, typename B, typename D, typename C>
void multiply(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  check_whole_warp(instruction, warp, lanes);
  if (lanes.none()) return;
  constexpr unsigned kM = Shape::kM, kK = Shape::kK;
  constexpr unsigned kRegistersOfA = kM * kK / kRowLanes / A::kOfRegister;
  constexpr unsigned kRegistersOfB = kPiece * kK / kRowLanes / B::kOfRegister;
  constexpr unsigned kRegistersOfD = kM * kPiece / kRowLanes / D::kOfRegister;
  typename A::Number a[kM][kK], columns[kPiece][kK], b[kK][kPiece];
  decltype(C::read({}, 0)) sum[kM][kPiece];
  read_factor<A>(instruction, warp, kRegistersOfD, a);
  read_factor<B>(instruction, warp, kRegistersOfD + kRegistersOfA, columns);
  read_sums<C, kM>(instruction, warp, kRegistersOfD + kRegistersOfA + kRegistersOfB, sum);
  for (unsigned k = 0; k < kK; ++k)
    for (unsigned n = 0; n < kPiece; ++n) b[k][n] = columns[n][k];
  for (unsigned m = 0; m < kM; ++m)
    for (unsigned k = 0; k < kK; ++k)
      for (unsigned n = 0; n < kPiece; ++n) sum[m][n] = add_product(A{}, a[m][k], b[k][n], sum[m][n]);
  write_sums<D, kM>(instruction, warp, sum);
}

MatrixShape shape_of(const Operation& operation) {
  return ptx::matrix_shape(operation.instruction).value_or(MatrixShape{});
}

template <typename A, typename B, typename D, typename C, typename... Shapes>
Handler of_shape(const Operation& operation) {
  const MatrixShape shape = shape_of(operation);
  Handler found = nullptr;
  ((found = shape == MatrixShape{Shapes::kM, kPiece, Shapes::kK} ? multiply<Shapes, A, B, D, C> : found), ...);
  return found;
}

Handler select_halves(const Operation& operation) {
  const bool half_d = operation.instruction.types[0] == ScalarType::F16;
  const bool half_c = operation.instruction.types[3] == ScalarType::F16;
  const auto with = [&]<typename D, typename C>(D, C) {
    return of_shape<HalfElements, HalfElements, D, C, Product<16, 8>, Product<16, 16>>(operation);
  };
  if (half_d) return half_c ? with(HalfSums{}, HalfSums{}) : with(HalfSums{}, FloatSums{});
  return half_c ? with(FloatSums{}, HalfSums{}) : with(FloatSums{}, FloatSums{});
}

Handler select_bytes(const Operation& operation) {
  const auto& types = operation.instruction.types;
  const auto with = [&]<typename A, typename B>(A, B) {
    return types[0] == ScalarType::F16
               ? of_shape<A, B, HalfSums, HalfSums, Product<16, 16>, Product<16, 32>>(operation)
               : of_shape<A, B, FloatSums, FloatSums, Product<16, 16>, Product<16, 32>>(operation);
  };
  using Fine = ByteElements<E4m3>;
  using Wide = ByteElements<E5m2>;
  if (types[1] == ScalarType::E4m3) return types[2] == ScalarType::E4m3 ? with(Fine{}, Fine{}) : with(Fine{}, Wide{});
  return types[2] == ScalarType::E4m3 ? with(Wide{}, Fine{}) : with(Wide{}, Wide{});
}

template <unsigned Bits, typename... Shapes>
Handler select_integers(const Operation& operation) {
  const bool signed_a = ptx::is_signed(operation.instruction.types[1]);
  const bool signed_b = ptx::is_signed(operation.instruction.types[2]);
  const auto saturating = [&]<typename A, typename B>(A, B) {
    return operation.has(Modifier::Satfinite)
               ? of_shape<A, B, IntegerSums<true>, IntegerSums<true>, Shapes...>(operation)
               : of_shape<A, B, IntegerSums<false>, IntegerSums<false>, Shapes...>(operation);
  };
  using Signed = IntegerElements<Bits, true>;
  using Unsigned = IntegerElements<Bits, false>;
  if (signed_a) return signed_b ? saturating(Signed{}, Signed{}) : saturating(Signed{}, Unsigned{});
  return signed_b ? saturating(Unsigned{}, Signed{}) : saturating(Unsigned{}, Unsigned{});
}

/// The decoder has seen to it that an mma has these types in this shape.
Handler select_product(const Operation& operation) {
  switch (operation.instruction.types[1]) {
    case ScalarType::F16:
      return select_halves(operation);
    case ScalarType::Bf16:
      return of_shape<BFloatElements, BFloatElements, FloatSums, FloatSums, Product<16, 8>, Product<16, 16>>(operation);
    case ScalarType::Tf32:
      return of_shape<Tf32Elements, Tf32Elements, FloatSums, FloatSums, Product<16, 4>, Product<16, 8>>(operation);
    case ScalarType::E4m3:
    case ScalarType::E5m2:
      return select_bytes(operation);
    case ScalarType::F64:
      return of_shape<DoubleElements, DoubleElements, DoubleSums, DoubleSums, Product<8, 4>>(operation);
    case ScalarType::S8:
    case ScalarType::U8:
      return select_integers<8, Product<8, 16>, Product<16, 16>, Product<16, 32>>(operation);
    default:
      return select_integers<4, Product<8, 32>, Product<16, 32>>(operation);
  }
}

/// 8 by 8 elements of 16 bits, by row.
using Matrix = std::array<std::uint16_t, kPiece * kPiece>;
constexpr unsigned kMatrixBytes = sizeof(Matrix), kRowBytes = kMatrixBytes / kPiece;

/// The lane's pair of a matrix: of row g and columns 2·t and 2·t + 1, or of the transposed matrix.
template <bool Transposed>
uint32_t pair_of(const Matrix& matrix, unsigned lane) {
  const unsigned row = row_of(lane), column = 2 * column_of(lane);
  const auto at = [&](unsigned c) { return Transposed ? matrix[c * kPiece + row] : matrix[row * kPiece + c]; };
  return at(column) | uint32_t{at(column + 1)} << 16;
}

template <bool Transposed>
void set_pair(Matrix& matrix, unsigned lane, uint32_t pair) {
  const unsigned row = row_of(lane), column = 2 * column_of(lane);
  const auto at = [&](unsigned c) -> std::uint16_t& {
    return Transposed ? matrix[c * kPiece + row] : matrix[row * kPiece + c];
  };
  at(column) = static_cast<std::uint16_t>(pair);
  at(column + 1) = static_cast<std::uint16_t>(pair >> 16);
}

/// The addresses of the rows, in shared memory: of the lowest lanes, one each. A thread that gives none has a part of
/// the row of one that does.
RowLanes row_addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes, bool is_write) {
  check_whole_warp(instruction, warp, lanes);
  const RowLanes addressing = lanes & RowLanes::first(instruction.addressing_lanes);
  compute_addresses(instruction, warp, addressing);
  warp.access.is_write = is_write;
  warp.access.is_atomic = false;
  if (instruction.space == MemorySpace::Generic) {
    addressing.for_each([&](unsigned lane) {
      std::uint64_t& address = warp.access.address[lane];
      if (!kSharedWindow.contains(address)) fail_out_of_bounds(instruction, warp, lane, address);
      address -= kSharedWindow.begin;
    });
    warp.access.space = MemorySpace::Shared;
  }
  (lanes - addressing).for_each([&](unsigned lane) {
    warp.access.address[lane] = warp.access.address[lane % instruction.addressing_lanes];
  });
  return addressing;
}

template <bool Transposed>
void load(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::array<Matrix, kRowLanes / kPiece> matrices;
  row_addresses(instruction, warp, lanes, false).for_each([&](unsigned lane) {
    std::byte* const to = reinterpret_cast<std::byte*>(matrices.data()) + lane * kRowBytes;
    std::memcpy(to, resolve<SharedSpace>(instruction, warp, lane), kRowBytes);
  });
  for (unsigned i = 0; i < instruction.addressing_lanes / kPiece; ++i)
    for_active_lanes<uint32_t>(warp.registers + instruction.operand[1 + i], lanes,
                               [&](unsigned lane) { return pair_of<Transposed>(matrices[i], lane); });
}

template <bool Transposed>
void store(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::array<Matrix, kRowLanes / kPiece> matrices;
  for (unsigned i = 0; i < instruction.addressing_lanes / kPiece; ++i) {
    const Row<uint32_t> from(warp.registers + instruction.operand[1 + i]);
    lanes.for_each([&](unsigned lane) { set_pair<Transposed>(matrices[i], lane, from[lane]); });
  }
  row_addresses(instruction, warp, lanes, true).for_each([&](unsigned lane) {
    const std::byte* const from = reinterpret_cast<const std::byte*>(matrices.data()) + lane * kRowBytes;
    std::memcpy(resolve<SharedSpace>(instruction, warp, lane), from, kRowBytes);
  });
}

/// [0] destination, [1] source.
void transpose(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  check_whole_warp(instruction, warp, lanes);
  Matrix matrix;
  const Row<uint32_t> from(warp.registers + instruction.operand[1]);
  lanes.for_each([&](unsigned lane) { set_pair<false>(matrix, lane, from[lane]); });
  for_active_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes,
                             [&](unsigned lane) { return pair_of<true>(matrix, lane); });
}

}  // namespace

Handler select_matrix(const Operation& operation) {
  const bool transposes = operation.has(Modifier::Trans);
  switch (operation.instruction.opcode) {
    case Opcode::Mma:
      return select_product(operation);
    case Opcode::Ldmatrix:
      return transposes ? load<true> : load<false>;
    case Opcode::Stmatrix:
      return transposes ? store<true> : store<false>;
    default:
      return transpose;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
