// Which elements of a matrix the registers of a wmma fragment hold. PTX leaves that open ("Matrix Fragments for WMMA");
// here a fragment is those of the mma instructions that its product is put together of.
#pragma once

#include <optional>
#include <vector>

#include "ptx/matrix_shape.h"

namespace warpfork::lower {

/// How a product of wmma is put together of products of mma, side by side or one below the other. n is 8 there: where
/// the matrices of wmma lie the other way, m8n32k16, the transposed product is computed, of B and A.
struct WmmaPieces {
  ptx::MatrixShape shape, piece;
  ptx::ScalarType factor{};  // type of A and B
  bool is_turned = false;

  /// Nothing if wmma has no such matrices, or none that we know.
  static std::optional<WmmaPieces> of(const ptx::MatrixShape& shape, ptx::ScalarType factor);

  unsigned rows() const { return (is_turned ? shape.n : shape.m) / piece.m; }     // of pieces
  unsigned columns() const { return (is_turned ? shape.m : shape.n) / piece.n; }  // likewise
};

/// What a lane holds of one matrix. Lane 4·g + t has elements of line g and place step·t along it, and of such that lie
/// behind these.
struct WmmaFragment {
  /// Of a register's elements, which follow one another along a line: what is added to the lane's own line and place.
  struct Register {
    unsigned line = 0, place = 0;
  };

  ptx::ScalarType element{};
  unsigned elements = 1;  // of a register
  unsigned step = 1;
  bool lines_are_rows = true;
  std::vector<Register> registers;

  /// `which` is .a, .b or, of C and D, .c.
  static WmmaFragment of(const WmmaPieces& pieces, ptx::Modifier which, ptx::ScalarType element);
};

}  // namespace warpfork::lower
