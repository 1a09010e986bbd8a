// A picture of the Mandelbrot set: MAND of the multi-path paper's Table 1, several pixels to a thread.
//
// Lanes of one warp leave the iteration at different trips and through different exits (escaped, in a cycle, out
// of patience), each exit with work of its own, and points known to lie inside never enter it.
#include "../common/check.h"

namespace {

constexpr int kBlockWidth = 16, kBlockHeight = 16;

struct View {
  float left, top, step;  // the complex plane at pixel (0, 0), and the distance of two pixels
};

struct Point {
  float x, y;
};

// z^2 + c. All arithmetic here is written with explicit fmaf, and without other products that are added to anything,
// so that host and device round alike and the check can be exact.
__host__ __device__ inline Point next(Point z, Point c) {
  return {fmaf(z.x - z.y, z.x + z.y, c.x), fmaf(z.x + z.x, z.y, c.y)};
}

__host__ __device__ inline float magnitude_squared(Point z) { return fmaf(z.x, z.x, z.y * z.y); }

// Colors a point that escaped after `count` iterations: a few more of them tell, in eighths, how far it overshot.
__host__ __device__ inline int escape_color(Point z, Point c, int count) {
  float magnitude = magnitude_squared(z);
  for (; magnitude < 65536.0f; ++count) {
    z = next(z, c);
    magnitude = magnitude_squared(z);
  }
  int eighths = 0;
  for (; magnitude > 65536.0f && eighths < 7; ++eighths) magnitude *= 0.0625f;
  return count * 8 + eighths;
}

// Colors a point of a cycle with minus its period.
__host__ __device__ inline int cycle_color(Point z, Point c) {
  int period = 1;
  for (Point other = next(z, c); other.x != z.x || other.y != z.y; other = next(other, c)) ++period;
  return -period;
}

// The color of c: positive outside the set, negative for a known period, 0 for a point that never told.
__host__ __device__ inline int color(Point c, int limit) {
  const float shifted = c.x - 0.25f;
  const float squared = fmaf(shifted, shifted, c.y * c.y);
  if (squared * (squared + shifted) <= 0.25f * c.y * c.y) return -1;  // main cardioid
  if (fmaf(c.x + 1.0f, c.x + 1.0f, c.y * c.y) <= 0.0625f) return -2;  // disc to its left

  Point z = {0.0f, 0.0f}, old = {0.0f, 0.0f};  // old: the orbit some iterations ago
  int next_save = 8;
  for (int i = 0; i < limit; ++i) {
    z = next(z, c);
    if (magnitude_squared(z) > 4.0f) return escape_color(z, c, i);
    if (z.x == old.x && z.y == old.y) return cycle_color(z, c);
    if (i == next_save) {
      old = z;
      next_save += next_save;
    }
  }
  return 0;
}

__global__ void mandelbrot(int* colors, int size, View view, int limit) {
  const int stride_x = static_cast<int>(gridDim.x * blockDim.x);
  const int stride_y = static_cast<int>(gridDim.y * blockDim.y);
  for (int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); row < size; row += stride_y) {
    const float cy = fmaf(static_cast<float>(row), view.step, view.top);
    for (int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); column < size; column += stride_x) {
      const float cx = fmaf(static_cast<float>(column), view.step, view.left);
      colors[row * size + column] = color({cx, cy}, limit);
    }
  }
}

std::vector<int> reference(int size, View view, int limit) {
  std::vector<int> colors;
  for (int row = 0; row < size; ++row) {
    const float cy = fmaf(static_cast<float>(row), view.step, view.top);
    for (int column = 0; column < size; ++column)
      colors.push_back(color({fmaf(static_cast<float>(column), view.step, view.left), cy}, limit));
  }
  return colors;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 128, limit = 256, pixels = 4;
  workload::Options("mandelbrot", "picture of the Mandelbrot set by escape time and period, checked exactly")
      .number("--size", size, 1, 8192, "width and height of the picture in pixels")
      .number("--limit", limit, 1, 1000000, "iterations after which a point counts as inside")
      .number("--pixels", pixels, 1, 1024, "pixels (rows) that one thread computes")
      .parse(argc, argv);

  const View view{-2.0f, -1.25f, 2.5f / static_cast<float>(size)};
  const dim3 block(kBlockWidth, kBlockHeight);
  const int rows_per_block = kBlockHeight * pixels;
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + rows_per_block - 1) / rows_per_block);

  const workload::DeviceArray<int> colors(static_cast<std::size_t>(size) * size);
  mandelbrot<<<grid, block>>>(colors.get(), size, view, limit);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  workload::expect_equal("colors", colors.download(), reference(size, view, limit));
  return workload::pass();
}
