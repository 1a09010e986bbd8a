// Escape times of the Mandelbrot set: MAND of the multi-path paper's Table 1, several pixels to a thread.
//
// Lanes of one warp leave the iteration at different trips and through different exits (escaped, in a cycle, out
// of patience), and points known to lie inside never enter it.
#include "../common/check.h"

namespace {

constexpr int kBlockWidth = 16, kBlockHeight = 16;

struct View {
  float left, top, step;  // the complex plane at pixel (0, 0), and the distance of two pixels
};

// Iterations until |z| > 2, or `limit` for a point that never does. Written with explicit fmaf and without other
// products that are added to anything, so that host and device round alike and the check can be exact.
__host__ __device__ inline int escape_time(float cx, float cy, int limit) {
  // Main cardioid and the disc left of it: known insiders.
  const float shifted = cx - 0.25f;
  const float squared = fmaf(shifted, shifted, cy * cy);
  if (squared * (squared + shifted) <= 0.25f * cy * cy) return limit;
  if (fmaf(cx + 1.0f, cx + 1.0f, cy * cy) <= 0.0625f) return limit;

  float x = 0.0f, y = 0.0f;
  float old_x = 0.0f, old_y = 0.0f;  // the orbit some steps ago: meeting it again means a cycle
  int next_save = 8;
  for (int i = 0; i < limit; ++i) {
    const float new_x = fmaf(x - y, x + y, cx);  // x^2 - y^2 + cx
    y = fmaf(x + x, y, cy);
    x = new_x;
    if (fmaf(x, x, y * y) > 4.0f) return i;
    if (x == old_x && y == old_y) break;
    if (i == next_save) {
      old_x = x;
      old_y = y;
      next_save += next_save;
    }
  }
  return limit;
}

__global__ void mandelbrot(int* times, int width, int height, View view, int limit) {
  const int stride_x = static_cast<int>(gridDim.x * blockDim.x);
  const int stride_y = static_cast<int>(gridDim.y * blockDim.y);
  for (int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); row < height; row += stride_y) {
    const float cy = fmaf(static_cast<float>(row), view.step, view.top);
    for (int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); column < width; column += stride_x) {
      const float cx = fmaf(static_cast<float>(column), view.step, view.left);
      times[row * width + column] = escape_time(cx, cy, limit);
    }
  }
}

std::vector<int> reference(int width, int height, View view, int limit) {
  std::vector<int> times;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      times.push_back(escape_time(fmaf(static_cast<float>(column), view.step, view.left),
                                  fmaf(static_cast<float>(row), view.step, view.top), limit));
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 128, limit = 256, pixels = 4;
  workload::Options("mandelbrot", "escape times of the Mandelbrot set, one int per pixel, checked exactly")
      .number("--size", size, 1, 8192, "width and height of the picture in pixels")
      .number("--limit", limit, 1, 1000000, "iterations after which a point counts as inside")
      .number("--pixels", pixels, 1, 1024, "pixels (rows) that one thread computes")
      .parse(argc, argv);

  const View view{-2.0f, -1.25f, 2.5f / static_cast<float>(size)};
  const dim3 block(kBlockWidth, kBlockHeight);
  const int rows_per_block = kBlockHeight * pixels;
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + rows_per_block - 1) / rows_per_block);

  const workload::DeviceArray<int> times(static_cast<std::size_t>(size) * size);
  mandelbrot<<<grid, block>>>(times.get(), size, size, view, limit);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  workload::expect_equal("escape times", times.download(), reference(size, size, view, limit));
  return workload::pass();
}
