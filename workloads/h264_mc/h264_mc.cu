// Motion compensation of H.264: MC of the spatio-temporal SIMT paper's Table II, after Wang et al. 2015. A picture is
// predicted from the one before it, of which every block is moved by a vector in quarters of a pixel.
//
// Their program is not public. Luma is interpolated in two passes, as usual: sums along rows are put into shared
// memory, of which a second filter makes sums along columns. Loops stay rolled, as the paper's 19 warps on a core leave
// a thread few registers. What diverges is which samples are to be interpolated. It depends on the vector's fraction,
// and a warp holds 8 blocks.
#include "picture.h"

namespace {

constexpr int kThreads = 64;  // of a macroblock: each has 4 pixels of luma, and one of either chroma
constexpr int kAcross = h264::kMacroblock / h264::kBlock;
constexpr int kTaps = 6;                           // of the filter for half samples
constexpr int kWindow = h264::kBlock + kTaps - 1;  // pixels in x and in y that a block is interpolated from
constexpr int kPitch = 12;                         // bytes from row to row of a window
constexpr int kChromaWindow = 3;                   // the same for chroma, whose blocks are 2 x 2 pixels; rows close up

__device__ inline int clipped(int value) { return min(max(value, 0), 255); }

// The filter on six values that lie `step` apart, before rounding.
template <class Value>
__device__ inline int filtered(const Value* first, int step) {
  return first[0] + first[5 * step] - 5 * (first[step] + first[4 * step]) + 20 * (first[2 * step] + first[3 * step]);
}

// The first pass: the filter along all rows of a window, for one column of the block.
__device__ inline void store_row_sums(const unsigned char* window, int column, short* sums) {
#pragma unroll 1
  for (int row = 0; row < kWindow; ++row)
    sums[row * h264::kBlock + column] = static_cast<short>(filtered(window + row * kPitch + column, 1));
}

// The second: whichever one or two samples make up the one at this fraction (ITU-T H.264, Table 8-12, told by kind of
// sample). `corner` is two rows above and two columns left of the pixel, `sums` those of the rows from there on.
__device__ inline int luma_sample(const unsigned char* corner, const short* sums, int quarters_x, int quarters_y) {
  const int right = quarters_x == 3, below = quarters_y == 3;  // the nearer pixel, or row or column of half samples
  const unsigned char* const pixel = corner + 2 * kPitch + 2;
  int sum = 0;
  if (quarters_x != 0 && quarters_y != 2) sum += clipped((sums[(2 + below) * h264::kBlock] + 16) >> 5);
  if (quarters_y != 0 && quarters_x != 2) sum += clipped((filtered(pixel + right - 2 * kPitch, kPitch) + 16) >> 5);
  if ((quarters_x == 2 && quarters_y != 0) || (quarters_y == 2 && quarters_x != 0))
    sum += clipped((filtered(sums, h264::kBlock) + 512) >> 10);
  if ((quarters_x == 0 && quarters_y != 2) || (quarters_y == 0 && quarters_x != 2))
    sum += pixel[below * kPitch + right];
  return (quarters_x | quarters_y) % 2 == 0 ? sum : (sum + 1) >> 1;
}

// Where a thread's block of luma lies in the picture, and its vector; four threads share a block.
struct Place {
  int block, thread;  // of the macroblock, of the block
  int x, y;           // the block's upper left pixel
  h264::Vector vector;
};

__device__ inline Place own_place(const h264::Vector* vectors) {
  const int thread = static_cast<int>(threadIdx.x), block = thread / h264::kBlock, across = static_cast<int>(gridDim.x);
  const int column = static_cast<int>(blockIdx.x) * kAcross + block % kAcross;
  const int row = static_cast<int>(blockIdx.y) * kAcross + block / kAcross;
  return {block, thread % h264::kBlock, column * h264::kBlock, row * h264::kBlock,
          vectors[row * across * kAcross + column]};
}

// A pixel of a plane, or the nearest one of it.
__device__ inline unsigned char pixel_at(const unsigned char* plane, int x, int y, int width, int height) {
  return plane[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

__global__ void luma(const unsigned char* from, const h264::Vector* vectors, int width, int height, unsigned char* to) {
  __shared__ unsigned char windows[kThreads / h264::kBlock][kWindow * kPitch];
  __shared__ short row_sums[kThreads / h264::kBlock][kWindow * h264::kBlock];
  const Place own = own_place(vectors);
  const int left = own.x + (own.vector.x >> 2) - 2, top = own.y + (own.vector.y >> 2) - 2;
#pragma unroll 1
  for (int n = own.thread; n < kWindow * kWindow; n += h264::kBlock) {
    const int column = n % kWindow, row = n / kWindow;
    windows[own.block][row * kPitch + column] = pixel_at(from, left + column, top + row, width, height);
  }
  __syncthreads();

  const int quarters_x = own.vector.x & 3, quarters_y = own.vector.y & 3;
  if (quarters_x != 0) store_row_sums(windows[own.block], own.thread, row_sums[own.block]);
  __syncthreads();

#pragma unroll 1
  for (int row = 0; row < h264::kBlock; ++row) {
    const unsigned char* const corner = windows[own.block] + row * kPitch + own.thread;
    const short* const sums = row_sums[own.block] + row * h264::kBlock + own.thread;
    to[(own.y + row) * width + own.x + own.thread] =
        static_cast<unsigned char>(luma_sample(corner, sums, quarters_x, quarters_y));
  }
}

__device__ inline unsigned char chroma_sample(const unsigned char* corner, int eighths_x, int eighths_y) {
  const int above = (8 - eighths_x) * corner[0] + eighths_x * corner[1];
  const int below = (8 - eighths_x) * corner[kChromaWindow] + eighths_x * corner[kChromaWindow + 1];
  return static_cast<unsigned char>(((8 - eighths_y) * above + eighths_y * below + 32) >> 6);
}

// Both planes of chroma, which have half as many pixels in x and in y: `width` and `height` are theirs.
__global__ void chroma(const unsigned char* from_blue, const unsigned char* from_red, const h264::Vector* vectors,
                       int width, int height, unsigned char* to_blue, unsigned char* to_red) {
  __shared__ unsigned char windows[2][kThreads / h264::kBlock][kChromaWindow * kChromaWindow];
  const Place own = own_place(vectors);
  const int left = own.x / 2 + (own.vector.x >> 3), top = own.y / 2 + (own.vector.y >> 3);
  for (int n = own.thread; n < kChromaWindow * kChromaWindow; n += h264::kBlock) {
    const int x = left + n % kChromaWindow, y = top + n / kChromaWindow;
    windows[0][own.block][n] = pixel_at(from_blue, x, y, width, height);
    windows[1][own.block][n] = pixel_at(from_red, x, y, width, height);
  }
  __syncthreads();

  const int column = own.thread % 2, row = own.thread / 2;
  const int corner = row * kChromaWindow + column, at = (own.y / 2 + row) * width + own.x / 2 + column;
  to_blue[at] = chroma_sample(windows[0][own.block] + corner, own.vector.x & 7, own.vector.y & 7);
  to_red[at] = chroma_sample(windows[1][own.block] + corner, own.vector.x & 7, own.vector.y & 7);
}

}  // namespace

int main(int argc, char** argv) {
  int columns = 120;
  workload::Options("h264_mc", "motion compensation of H.264 for a picture, checked exactly")
      .number("--columns", columns, 1, 512, "macroblocks in a row of the picture; there are 17 rows for 30 columns")
      .parse(argc, argv);
  const int rows = std::max(1, columns * 17 / 30);
  const int width = columns * h264::kMacroblock, height = rows * h264::kMacroblock;

  workload::Random random(37);
  const h264::Plane y = h264::draw_plane(random, width, height);
  const h264::Plane cb = h264::draw_plane(random, width / 2, height / 2);
  const h264::Plane cr = h264::draw_plane(random, width / 2, height / 2);
  const h264::Motion motion = h264::draw_motion(random, width, height);

  const workload::DeviceArray<unsigned char> from_y(y.pixels), from_cb(cb.pixels), from_cr(cr.pixels);
  const workload::DeviceArray<unsigned char> to_y(y.pixels.size()), to_cb(cb.pixels.size()), to_cr(cr.pixels.size());
  const workload::DeviceArray<h264::Vector> vectors(motion.vectors);
  const dim3 grid(columns, rows);
  luma<<<grid, kThreads>>>(from_y.get(), vectors.get(), width, height, to_y.get());
  chroma<<<grid, kThreads>>>(from_cb.get(), from_cr.get(), vectors.get(), width / 2, height / 2, to_cb.get(),
                             to_cr.get());
  CUDA_CHECK(cudaGetLastError());

  workload::expect_equal("pixels of Y", to_y.download(), h264::predicted_luma(y, motion));
  workload::expect_equal("pixels of Cb", to_cb.download(), h264::predicted_chroma(cb, motion));
  workload::expect_equal("pixels of Cr", to_cr.download(), h264::predicted_chroma(cr, motion));
  return workload::pass();
}
