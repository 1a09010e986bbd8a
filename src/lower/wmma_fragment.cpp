#include "lower/wmma_fragment.h"

namespace warpfork::lower {

namespace {

using ptx::MatrixShape;
using ptx::Modifier;
using ptx::ScalarType;

constexpr unsigned kLines = 8, kLanesOfALine = 4;

/// The shape of the mma that wmma's k asks for; nothing if wmma has no such factors.
std::optional<MatrixShape> piece_of(const MatrixShape& shape, ScalarType factor) {
  switch (factor) {
    case ScalarType::F16:
    case ScalarType::Bf16:
    case ScalarType::S8:
    case ScalarType::U8:
      if (shape.k == 16) return MatrixShape{16, 8, 16};
      return std::nullopt;
    case ScalarType::Tf32:
      if (shape == MatrixShape{16, 16, 8}) return MatrixShape{16, 8, 8};
      return std::nullopt;
    case ScalarType::F64:
      if (shape == MatrixShape{8, 8, 4}) return shape;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<WmmaPieces> WmmaPieces::of(const MatrixShape& shape, ScalarType factor) {
  const bool is_known = shape == MatrixShape{16, 16, shape.k} || shape == MatrixShape{32, 8, 16} ||
                        shape == MatrixShape{8, 32, 16} || shape == MatrixShape{8, 8, 4};
  const std::optional<MatrixShape> piece = piece_of(shape, factor);
  if (!is_known || !piece) return std::nullopt;
  return WmmaPieces{shape, *piece, factor, shape.m < piece->m};
}

WmmaFragment WmmaFragment::of(const WmmaPieces& pieces, Modifier which, ScalarType element) {
  WmmaFragment fragment;
  fragment.element = element;
  fragment.elements = ptx::elements_of_register(element);
  if (which != Modifier::A && which != Modifier::B) {
    fragment.step = 2;
    fragment.lines_are_rows = !pieces.is_turned;
    for (unsigned row = 0; row < pieces.rows(); ++row)
      for (unsigned column = 0; column < pieces.columns(); ++column)
        for (unsigned line = 0; line < pieces.piece.m; line += kLines)
          for (unsigned place = 0; place < 2; place += fragment.elements)
            fragment.registers.push_back({row * pieces.piece.m + line, column * pieces.piece.n + place});
    return fragment;
  }
  fragment.step = fragment.elements;
  fragment.lines_are_rows = which == Modifier::A;
  const bool is_left = (which == Modifier::A) != pieces.is_turned;
  const unsigned count = is_left ? pieces.rows() : pieces.columns(), lines = is_left ? pieces.piece.m : pieces.piece.n;
  for (unsigned piece = 0; piece < count; ++piece)
    for (unsigned place = 0; place < pieces.piece.k; place += kLanesOfALine * fragment.elements)
      for (unsigned line = 0; line < lines; line += kLines) fragment.registers.push_back({piece * lines + line, place});
  return fragment;
}

}  // namespace warpfork::lower
