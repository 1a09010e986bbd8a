// Complex Fourier transform of 2^M points after SPLASH-2's fft (Woo et al. 1995; Bailey 1990): the six-step algorithm.
// The points are a square matrix; each thread owns some of its rows. Three times the matrix is transposed, a block for
// each two threads, twice its rows are transformed in place; between the two every point is multiplied by a root of
// unity. As in the original rows are padded so that each thread's end with a page, and each thread has its own roots.
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

Complex root_of_unity(double turns) {
  return {std::cos(2 * std::numbers::pi * turns), -std::sin(2 * std::numbers::pi * turns)};
}

// Points from the begin of a row to that of the next.
int padded(int side, int threads) {
  constexpr std::size_t kPage = 4096 / sizeof(Complex);  // points
  const std::size_t rows = std::max(1, side / threads), points = rows * side;
  return static_cast<int>((points + rows + kPage - 1) / kPage * kPage / rows);
}

struct Transform {
  Transform(const std::vector<Complex>& points, int row_bits, int threads)
      : row_bits(row_bits),
        side(1 << row_bits),
        stride(padded(side, threads)),
        matrix(std::size_t(side) * stride),
        scratch(matrix.size()),
        twiddles(matrix.size()),
        barrier(threads) {
    for (int half = 1; half < side; half *= 2)
      for (int i = 0; i < half; ++i) roots.push_back(root_of_unity(static_cast<double>(i) / (2 * half)));
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) {
        matrix[row * stride + column] = points[row * side + column];
        twiddles[row * stride + column] = root_of_unity(static_cast<double>(row) * column / points.size());
      }
  }

  int row_bits, side, stride;
  std::vector<Complex> matrix, scratch;
  std::vector<Complex> roots;     // of a row's transform: 1 for pairs, 2 for fours, and so on
  std::vector<Complex> twiddles;  // between the two transforms
  spmd::Barrier barrier;
};

// Writes the columns of `from` as the thread's rows of `to`, from the next thread's rows first and its own last, so
// that threads do not all read from the same owner.
void transpose(const Transform& transform, const Complex* from, Complex* to, int thread, int threads) {
  const spmd::Range mine = spmd::share(transform.side, threads, thread);
  for (int step = 1; step <= threads; ++step) {
    const spmd::Range theirs = spmd::share(transform.side, threads, (thread + step) % threads);
    for (int row = theirs.begin; row < theirs.end; ++row)
      for (int column = mine.begin; column < mine.end; ++column)
        to[column * transform.stride + row] = from[row * transform.stride + column];
  }
}

int reversed(int bits, int number) {
  int reversed = 0;
  for (int bit = 0; bit < bits; ++bit, number >>= 1) reversed = 2 * reversed + (number & 1);
  return reversed;
}

void transform_row(const Transform& transform, const Complex* roots, Complex* row) {
  const int side = transform.side;
  for (int i = 0; i < side; ++i)
    if (const int other = reversed(transform.row_bits, i); other > i) std::swap(row[i], row[other]);
  for (int half = 1; half < side; half *= 2) {
    const Complex* level = roots + half - 1;
    for (int first = 0; first < side; first += 2 * half) {
      Complex *low = row + first, *high = low + half;
      for (int i = 0; i < half; ++i) {
        const Complex turned = level[i] * high[i], kept = low[i];
        high[i] = kept - turned;
        low[i] = kept + turned;
      }
    }
  }
}

extern "C" [[gnu::noinline]] void* fft_worker(void* start) {
  const auto [transform, thread, threads] = *static_cast<spmd::Start<Transform>*>(start);
  const spmd::Range rows = spmd::share(transform->side, threads, thread);
  const int side = transform->side, stride = transform->stride;
  Complex* matrix = transform->matrix.data();
  Complex* scratch = transform->scratch.data();
  transform->barrier.wait();
  const std::vector<Complex> roots = transform->roots;
  transform->barrier.wait();

  transpose(*transform, matrix, scratch, thread, threads);
  for (int row = rows.begin; row < rows.end; ++row) {
    Complex* points = scratch + row * stride;
    const Complex* twiddles = transform->twiddles.data() + row * stride;
    transform_row(*transform, roots.data(), points);
    for (int i = 0; i < side; ++i) points[i] = points[i] * twiddles[i];
  }
  transform->barrier.wait();
  transpose(*transform, scratch, matrix, thread, threads);
  for (int row = rows.begin; row < rows.end; ++row) transform_row(*transform, roots.data(), matrix + row * stride);
  transform->barrier.wait();
  transpose(*transform, matrix, scratch, thread, threads);
  transform->barrier.wait();
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
    const Complex got = transform.scratch[i / transform.side * transform.stride + i % transform.side];
    verdict.near("real part", i, got.re, expected[i].real(), tolerance);
    verdict.near("imaginary part", i, got.im, expected[i].imag(), tolerance);
  }
  std::printf("fft: %d points, second %.9f %+.9fi\n", count, transform.scratch[1].re, transform.scratch[1].im);
  return verdict.conclude();
}
