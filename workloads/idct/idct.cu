// The inverse transform of H.264 for the residual blocks of a picture: IDCT of the spatio-temporal SIMT paper's Table
// II, after Wang et al. 2013, who send the device nothing but the blocks that have a coefficient, one behind the other.
//
// A thread transforms a row of a block, then a column, and adds it to the prediction. Hardly diverges.
#include <algorithm>

#include "transform.h"

namespace {

constexpr int kThreads = 192;                 // 48 blocks of 4 x 4, or 24 of 8 x 8
constexpr int kWidth = 1920, kHeight = 1088;  // of a picture
constexpr int kMacroblock = 16;               // pixels in x and in y; all its blocks are of one size

// Residual blocks of one size that have a coefficient.
struct Residual {
  const short* coefficients;  // a block's rows from the top, block after block
  const int* places;          // of the blocks' upper left pixels in the picture
  int blocks;
};

__host__ __device__ inline unsigned char clipped(int value) {
  return static_cast<unsigned char>(value < 0 ? 0 : value > 255 ? 255 : value);
}

template <int kSide>
__device__ inline void reconstruct(Residual residual, unsigned char* picture) {
  constexpr int kPitch = kSide + 1;  // rows of a block begin in different banks
  __shared__ int rows[kThreads * kPitch];
  const int thread = static_cast<int>(threadIdx.x), line = thread % kSide;
  const int block = (static_cast<int>(blockIdx.x) * kThreads + thread) / kSide;
  const bool exists = block < residual.blocks;

  int values[kSide];
  if (exists) {
    const short* const row = residual.coefficients + (block * kSide + line) * kSide;
    for (int i = 0; i < kSide; ++i) values[i] = row[i];
    idct::transform(values);
    for (int i = 0; i < kSide; ++i) rows[thread * kPitch + i] = values[i];
  }
  __syncthreads();
  if (exists) {
    for (int i = 0; i < kSide; ++i) values[i] = rows[(thread - line + i) * kPitch + line];
    idct::transform(values);
    unsigned char* const column = picture + residual.places[block] + line;
    for (int i = 0; i < kSide; ++i) column[i * kWidth] = clipped(column[i * kWidth] + ((values[i] + 32) >> 6));
  }
}

__global__ void idct4x4(Residual residual, unsigned char* picture) { reconstruct<4>(residual, picture); }
__global__ void idct8x8(Residual residual, unsigned char* picture) { reconstruct<8>(residual, picture); }

struct Blocks {
  int side;
  std::vector<short> coefficients;
  std::vector<int> places;
};

// Places of all blocks of this size in the macroblocks that are cut into such.
std::vector<int> all_places(int side, const std::vector<int>& side_of_macroblock) {
  std::vector<int> places;
  const int across = kWidth / kMacroblock;
  for (std::size_t m = 0; m < side_of_macroblock.size(); ++m) {
    if (side_of_macroblock[m] != side) continue;
    const int corner = static_cast<int>(m) / across * kMacroblock * kWidth + static_cast<int>(m) % across * kMacroblock;
    for (int y = 0; y < kMacroblock; y += side)
      for (int x = 0; x < kMacroblock; x += side) places.push_back(corner + y * kWidth + x);
  }
  return places;
}

// Draws as many of the blocks as fill `thread_blocks`, but for a few in the last, and their coefficients: most of them
// low frequencies, the first the largest.
Blocks draw_blocks(workload::Random& random, int side, int thread_blocks, const std::vector<int>& side_of_macroblock) {
  const std::vector<int> places = all_places(side, side_of_macroblock);
  const int per_thread_block = kThreads / side;
  Blocks blocks{side, {}, {}};
  int wanted = thread_blocks * per_thread_block - per_thread_block / 3;
  for (int left = static_cast<int>(places.size()); left > 0 && wanted > 0; --left) {
    if (static_cast<int>(random.below(left)) >= wanted) continue;
    --wanted;
    blocks.places.push_back(places[places.size() - left]);
    std::vector<short> block(side * side);
    for (unsigned n = 1 + random.below(2 * side); n > 0; --n) {
      const int x = static_cast<int>(random.below(1 + random.below(side)));
      const int y = static_cast<int>(random.below(1 + random.below(side)));
      block[y * side + x] = static_cast<short>(static_cast<int>(random.below(6000)) - 3000) / (1 + x + y);
    }
    blocks.coefficients.insert(blocks.coefficients.end(), block.begin(), block.end());
  }
  return blocks;
}

template <int kSide>
void reference(const Blocks& blocks, std::vector<unsigned char>& picture) {
  for (std::size_t n = 0; n < blocks.places.size(); ++n) {
    int block[kSide][kSide];
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) block[y][x] = blocks.coefficients[(n * kSide + y) * kSide + x];
      idct::transform(block[y]);
    }
    for (int x = 0; x < kSide; ++x) {
      int column[kSide];
      for (int y = 0; y < kSide; ++y) column[y] = block[y][x];
      idct::transform(column);
      for (int y = 0; y < kSide; ++y) {
        unsigned char& pixel = picture[blocks.places[n] + y * kWidth + x];
        pixel = clipped(pixel + ((column[y] + 32) >> 6));
      }
    }
  }
}

void launch(const Blocks& blocks, unsigned char* picture) {
  const workload::DeviceArray<short> coefficients(blocks.coefficients);
  const workload::DeviceArray<int> places(blocks.places);
  const int count = static_cast<int>(blocks.places.size());
  const Residual residual{coefficients.get(), places.get(), count};
  const int grid = (count * blocks.side + kThreads - 1) / kThreads;
  if (blocks.side == 4)
    idct4x4<<<grid, kThreads>>>(residual, picture);
  else
    idct8x8<<<grid, kThreads>>>(residual, picture);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

// One picture, checked; the launches have this many thread blocks.
void reconstruct_picture(workload::Random& random, int blocks4x4, int blocks8x8) {
  std::vector<unsigned char> pixels;
  for (int i = 0; i < kWidth * kHeight; ++i) pixels.push_back(static_cast<unsigned char>(random.below(256)));
  std::vector<int> side_of_macroblock;
  for (int i = 0; i < kWidth * kHeight / (kMacroblock * kMacroblock); ++i)
    side_of_macroblock.push_back(random.below(2) == 0 ? 4 : 8);
  const Blocks small = draw_blocks(random, 4, blocks4x4, side_of_macroblock);
  const Blocks large = draw_blocks(random, 8, blocks8x8, side_of_macroblock);

  const workload::DeviceArray<unsigned char> picture(pixels);
  launch(small, picture.get());
  launch(large, picture.get());
  reference<4>(small, pixels);
  reference<8>(large, pixels);
  workload::expect_equal("pixels", picture.download(), pixels);
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 252;
  workload::Options("idct", "inverse transforms of H.264 for the residual blocks of two pictures, checked exactly")
      .number("--blocks", blocks, 1, 600,
              "thread blocks of the first launch; the others have 231, 100 and 130 of 252 so many")
      .parse(argc, argv);
  idct::check_transform(idct::kBasis4);
  idct::check_transform(idct::kBasis8);

  const auto scaled = [&](int original) { return std::max(1, original * blocks / 252); };
  workload::Random random(31);
  reconstruct_picture(random, blocks, scaled(231));
  reconstruct_picture(random, scaled(100), scaled(130));
  return workload::pass();
}
