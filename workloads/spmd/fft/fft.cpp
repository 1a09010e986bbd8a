// Complex Fourier transform of 2^M points after SPLASH-2's fft (Woo et al. 1995; Bailey 1990): the six-step algorithm.
// The points are a square matrix; each thread owns some of its rows. Three times the matrix is transposed, block by
// block, twice its rows are transformed in place; between the two every point is multiplied by a root of unity.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/complex.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"

namespace {

using spmd::Complex;

constexpr int kBlock = 8;  // a block of the transposition is 8 x 8: a row of it is two cache lines

Complex root_of_unity(double turns) {
  return {std::cos(2 * std::numbers::pi * turns), -std::sin(2 * std::numbers::pi * turns)};
}

struct Transform {
  Transform(std::vector<Complex> points, int row_bits, int threads)
      : row_bits(row_bits),
        side(1 << row_bits),
        matrix(std::move(points)),
        scratch(matrix.size()),
        twiddles(matrix.size()),
        barrier(threads) {
    for (int i = 0; i < side / 2; ++i) roots.push_back(root_of_unity(static_cast<double>(i) / side));
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column)
        twiddles[row * side + column] = root_of_unity(static_cast<double>(row) * column / matrix.size());
  }

  int row_bits, side;
  std::vector<Complex> matrix, scratch;
  std::vector<Complex> roots;     // of a row's transform
  std::vector<Complex> twiddles;  // between the two transforms
  spmd::Barrier barrier;
};

// Writes the rows [begin, end) of `to` from the columns of `from`. Threads begin with different blocks, so that they do
// not all read from the same owner.
void transpose(const Transform& transform, const Complex* from, Complex* to, spmd::Range rows) {
  const int side = transform.side, blocks = (side + kBlock - 1) / kBlock;
  for (int count = 0; count < blocks; ++count) {
    const int first = (rows.begin / kBlock + count) % blocks * kBlock, last = std::min(first + kBlock, side);
    for (int top = rows.begin; top < rows.end; top += kBlock)
      for (int row = top; row < std::min(top + kBlock, rows.end); ++row)
        for (int column = first; column < last; ++column) to[row * side + column] = from[column * side + row];
  }
}

void reverse_bits(Complex* row, int bits) {
  for (int i = 0; i < 1 << bits; ++i) {
    int reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= ((i >> bit) & 1) << (bits - 1 - bit);
    if (i < reversed) std::swap(row[i], row[reversed]);
  }
}

void transform_row(const Transform& transform, Complex* row) {
  const int side = transform.side;
  reverse_bits(row, transform.row_bits);
  for (int half = 1; half < side; half *= 2)
    for (int first = 0; first < side; first += 2 * half)
      for (int i = 0; i < half; ++i) {
        Complex &low = row[first + i], &high = row[first + half + i];
        const Complex turned = transform.roots[i * (side / 2 / half)] * high;
        high = low - turned;
        low = low + turned;
      }
}

extern "C" [[gnu::noinline]] void* fft_worker(void* start) {
  const auto [transform, thread, threads] = *static_cast<spmd::Start<Transform>*>(start);
  const spmd::Range rows = spmd::share(transform->side, threads, thread);
  const int side = transform->side;
  Complex* matrix = transform->matrix.data();
  Complex* scratch = transform->scratch.data();

  transpose(*transform, matrix, scratch, rows);
  for (int row = rows.begin; row < rows.end; ++row) {
    transform_row(*transform, scratch + row * side);
    for (int i = row * side; i < (row + 1) * side; ++i) scratch[i] = scratch[i] * transform->twiddles[i];
  }
  transform->barrier.wait();
  transpose(*transform, scratch, matrix, rows);
  for (int row = rows.begin; row < rows.end; ++row) transform_row(*transform, matrix + row * side);
  transform->barrier.wait();
  transpose(*transform, matrix, scratch, rows);
  return nullptr;
}

// The transform of `count` numbers that lie `stride` apart, by halving: even ones, odd ones, both together.
std::vector<std::complex<double>> reference(const Complex* points, int count, int stride) {
  if (count == 1) return {{points->re, points->im}};
  const auto even = reference(points, count / 2, 2 * stride);
  const auto odd = reference(points + stride, count / 2, 2 * stride);
  std::vector<std::complex<double>> result(count);
  for (int i = 0; i < count / 2; ++i) {
    const auto turned = std::polar(1.0, -2 * std::numbers::pi * i / count) * odd[i];
    result[i] = even[i] + turned;
    result[i + count / 2] = even[i] - turned;
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"LOG2_ROW", 5, 9, 1, 12}});
  const int row_bits = command[0], count = 1 << 2 * row_bits;
  spmd::Random random(2);
  std::vector<Complex> points(count);
  for (Complex& point : points) point = {random.between(-1, 1), random.between(-1, 1)};

  Transform transform(points, row_bits, command.threads());
  spmd::run_threads(command.threads(), fft_worker, transform);

  // Values are about sqrt(2 count / 3); rounding errors grow with the logarithm of the count.
  const double tolerance = 1e-14 * 2 * row_bits * std::sqrt(count);
  const std::vector<std::complex<double>> expected = reference(points.data(), count, 1);
  spmd::Verdict verdict;
  for (int i = 0; i < count; ++i) {
    verdict.near("real part", i, transform.scratch[i].re, expected[i].real(), tolerance);
    verdict.near("imaginary part", i, transform.scratch[i].im, expected[i].imag(), tolerance);
  }
  std::printf("fft: %d points, second %.9f %+.9fi\n", count, transform.scratch[1].re, transform.scratch[1].im);
  return verdict.conclude();
}
