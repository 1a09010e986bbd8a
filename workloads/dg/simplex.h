// The reference tetrahedron: nodes of polynomials of order 6, and the matrices that differentiate them and lift what
// flows through the faces into the element (Hesthaven and Warburton, "Nodal discontinuous Galerkin methods",
// 2008, 10.1).
//
// Everything is computed in the basis of Bernstein polynomials, of which the integrals are known, and then turned to
// nodes.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace dg {

constexpr int kOrder = 6;
constexpr int kFaces = 4;
constexpr int kNodes = (kOrder + 1) * (kOrder + 2) * (kOrder + 3) / 6;  // 84, of an element
constexpr int kFaceNodes = (kOrder + 1) * (kOrder + 2) / 2;             // 28, of a face
constexpr int kAllFaceNodes = kFaces * kFaceNodes;                      // 112

// Square, of kNodes rows.
class Matrix {
 public:
  double& at(int row, int column) { return numbers_[row * kNodes + column]; }
  double at(int row, int column) const { return numbers_[row * kNodes + column]; }

 private:
  std::vector<double> numbers_ = std::vector<double>(kNodes * kNodes);
};

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product;
  for (int i = 0; i < kNodes; ++i)
    for (int k = 0; k < kNodes; ++k)
      for (int j = 0; j < kNodes; ++j) product.at(i, j) += a.at(i, k) * b.at(k, j);
  return product;
}

// By Gauss and Jordan, with the largest pivot of a column.
inline Matrix inverse(Matrix matrix) {
  Matrix result;
  for (int i = 0; i < kNodes; ++i) result.at(i, i) = 1.0;
  for (int column = 0; column < kNodes; ++column) {
    int pivot = column;
    for (int i = column; i < kNodes; ++i)
      if (std::fabs(matrix.at(i, column)) > std::fabs(matrix.at(pivot, column))) pivot = i;
    const double scale = 1.0 / matrix.at(pivot, column);
    for (int j = 0; j < kNodes; ++j) {
      std::swap(matrix.at(pivot, j), matrix.at(column, j));
      std::swap(result.at(pivot, j), result.at(column, j));
      matrix.at(column, j) *= scale;
      result.at(column, j) *= scale;
    }
    for (int i = 0; i < kNodes; ++i) {
      const double factor = matrix.at(i, column);
      if (i == column || factor == 0.0) continue;
      for (int j = 0; j < kNodes; ++j) {
        matrix.at(i, j) -= factor * matrix.at(column, j);
        result.at(i, j) -= factor * result.at(column, j);
      }
    }
  }
  return result;
}

// How near to each corner a node lies, in sixths; the same four numbers are the exponents of a Bernstein polynomial.
using Lattice = std::array<int, 4>;

inline std::vector<Lattice> make_lattice() {
  std::vector<Lattice> all;
  for (int t = 0; t <= kOrder; ++t)
    for (int s = 0; s <= kOrder - t; ++s)
      for (int r = 0; r <= kOrder - t - s; ++r) all.push_back({kOrder - r - s - t, r, s, t});
  return all;
}

// The nodes on the face opposite corner `face`, in the order of the element's.
inline std::vector<int> nodes_of_face(const std::vector<Lattice>& lattice, int face) {
  std::vector<int> nodes;
  for (int n = 0; n < kNodes; ++n)
    if (lattice[n][face] == 0) nodes.push_back(n);
  return nodes;
}

inline double binomial(int n, int k) {
  double result = 1.0;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// Of order e0 + e1 + e2 + e3, at a node; zero if an exponent is negative.
inline double bernstein(const Lattice& exponents, const Lattice& node) {
  double value = 1.0;
  int order = 0;
  for (int i = 0; i < 4; ++i) {
    if (exponents[i] < 0) return 0.0;
    order += exponents[i];
    value *= binomial(order, exponents[i]) * std::pow(node[i] / static_cast<double>(kOrder), exponents[i]);
  }
  return value;
}

// The integral of a product of two over the tetrahedron, or, in two dimensions, over a face on which both are not zero:
// their product is a multiple of one of twice the order, and all those of one order have the same integral.
inline double integral(const Lattice& a, const Lattice& b, int dimensions) {
  double product = 1.0;
  for (int i = 0; i < 4; ++i) product *= binomial(a[i] + b[i], a[i]);
  const double volume = dimensions == 3 ? 1.0 / 6.0 : 1.0 / 2.0;
  return product * volume / (binomial(2 * kOrder, kOrder) * binomial(2 * kOrder + dimensions, dimensions));
}

struct Simplex {
  std::vector<Lattice> lattice = make_lattice();
  std::array<std::vector<int>, kFaces> face_nodes;
  std::array<Matrix, 3> derivatives;  // along the edges from corner 0 to corners 1, 2, 3
  std::vector<double> lift;           // kNodes rows of kAllFaceNodes
};

inline Simplex make_simplex() {
  Simplex simplex;
  const std::vector<Lattice>& lattice = simplex.lattice;
  Matrix values, mass;
  for (int i = 0; i < kNodes; ++i)
    for (int j = 0; j < kNodes; ++j) {
      values.at(i, j) = bernstein(lattice[j], lattice[i]);
      mass.at(i, j) = integral(lattice[i], lattice[j], 3);
    }
  const Matrix to_bernstein = inverse(values), lift_out = values * inverse(mass);

  for (int direction = 0; direction < 3; ++direction) {
    Matrix slopes;
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j < kNodes; ++j) {
        Lattice towards = lattice[j], away = lattice[j];
        --towards[direction + 1], --away[0];
        slopes.at(i, j) = kOrder * (bernstein(towards, lattice[i]) - bernstein(away, lattice[i]));
      }
    simplex.derivatives[direction] = slopes * to_bernstein;
  }

  simplex.lift.resize(kNodes * kAllFaceNodes);
  for (int face = 0; face < kFaces; ++face) {
    simplex.face_nodes[face] = nodes_of_face(lattice, face);
    Matrix face_mass;
    for (const int i : simplex.face_nodes[face])
      for (const int j : simplex.face_nodes[face]) face_mass.at(i, j) = integral(lattice[i], lattice[j], 2);
    const Matrix lift = lift_out * (face_mass * to_bernstein);
    for (int n = 0; n < kNodes; ++n)
      for (int m = 0; m < kFaceNodes; ++m)
        simplex.lift[n * kAllFaceNodes + face * kFaceNodes + m] = lift.at(n, simplex.face_nodes[face][m]);
  }
  return simplex;
}

}  // namespace dg
