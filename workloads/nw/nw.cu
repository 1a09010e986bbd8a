// Needleman-Wunsch global alignment scores of two sequences: NW of the spatio-temporal SIMT paper's Table II, Rodinia's
// nw (Che et al. 2009): tiles of 16 x 16 cells computed by 16 threads, one launch per diagonal of tiles.
//
// As in Rodinia, the threads of a tile sweep its anti-diagonals in two loops, of 16 that grow and 15 that shrink; the
// low lanes are active in both. Three barriers part the loads of a tile, and places in it are computed in 32 bits.
#include "../common/check.h"

namespace {

constexpr int kTile = 16;

// The best of coming diagonally, from the left, or from above.
__host__ __device__ inline int best_of(int diagonal, int left, int above) {
  int best = diagonal;
  if (left > best) best = left;
  if (above > best) best = above;
  return best;
}

constexpr int kCellColumns = kTile + 1;  // of the tile in shared memory, with the cells left of and above it

// Scores the cell of a tile at (row, column), both from 1, from its three neighbours.
__device__ inline void score_cell(int* cell, const int* match, int gap, int row, int column) {
  const int here = row * kCellColumns + column, above = here - kCellColumns;
  cell[here] =
      best_of(cell[above - 1] + match[(row - 1) * kTile + column - 1], cell[here - 1] - gap, cell[above] - gap);
}

// Scores one tile in shared memory. `score` has (columns) ints a row; row 0 and column 0 hold the gap penalties.
__device__ inline void score_tile(const int* similarity, int* score, int columns, int gap, int tile_x, int tile_y) {
  __shared__ int cell[kCellColumns * kCellColumns];
  __shared__ int match[kTile * kTile];
  const int lane = static_cast<int>(threadIdx.x);
  const int corner = columns * kTile * tile_y + kTile * tile_x;  // up and left of the tile's first cell
  const int top = corner + columns + lane + 1;                   // in the tile's first row

  if (lane == 0) cell[0] = score[corner];
  for (int row = 0; row < kTile; ++row) match[row * kTile + lane] = similarity[top + columns * row];
  __syncthreads();
  cell[(lane + 1) * kCellColumns] = score[corner + columns * (lane + 1)];
  __syncthreads();
  cell[lane + 1] = score[corner + lane + 1];
  __syncthreads();

  for (int last = 0; last < kTile; ++last) {
    if (lane <= last) score_cell(cell, match, gap, last - lane + 1, lane + 1);
    __syncthreads();
  }
  for (int last = kTile - 2; last >= 0; --last) {
    if (lane <= last) score_cell(cell, match, gap, kTile - lane, lane + kTile - last);
    __syncthreads();
  }

  for (int row = 0; row < kTile; ++row) score[top + columns * row] = cell[(row + 1) * kCellColumns + lane + 1];
}

// The diagonals of tiles from the upper left corner to the longest one; `diagonal` counts from 0.
__global__ void upper_left(const int* similarity, int* score, int columns, int gap, int diagonal) {
  const int tile_x = static_cast<int>(blockIdx.x);
  score_tile(similarity, score, columns, gap, tile_x, diagonal - tile_x);
}

// The diagonals after the longest one; `first_column` is the leftmost tile column that the diagonal still touches.
__global__ void lower_right(const int* similarity, int* score, int columns, int gap, int tiles, int first_column) {
  const int tile_x = first_column + static_cast<int>(blockIdx.x);
  score_tile(similarity, score, columns, gap, tile_x, tiles - 1 - static_cast<int>(blockIdx.x));
}

struct Problem {
  int columns;  // length + 1: row 0 and column 0 are the borders
  int gap;
  std::vector<int> similarity;  // columns x columns; borders unused
  std::vector<int> score;       // borders filled, the rest 0
};

// Two related random nucleotide sequences: the second repeats the first with one letter in four changed.
Problem make_problem(int length, int gap) {
  workload::Random random(11);
  const int columns = length + 1;
  std::vector<int> down(columns), across(columns);
  for (int i = 1; i < columns; ++i) {
    down[i] = static_cast<int>(random.below(4));
    across[i] = random.below(4) == 0 ? static_cast<int>(random.below(4)) : down[i];
  }
  const std::size_t cells = static_cast<std::size_t>(columns) * columns;
  Problem problem{columns, gap, std::vector<int>(cells, 0), std::vector<int>(cells, 0)};
  for (int i = 1; i < columns; ++i) {
    problem.score[i] = problem.score[static_cast<std::size_t>(i) * columns] = -i * gap;
    for (int j = 1; j < columns; ++j)
      problem.similarity[static_cast<std::size_t>(i) * columns + j] = down[i] == across[j] ? 5 : -3;
  }
  return problem;
}

std::vector<int> reference(const Problem& problem) {
  std::vector<int> score = problem.score;
  const int columns = problem.columns;
  for (int i = 1; i < columns; ++i) {
    for (int j = 1; j < columns; ++j) {
      const std::size_t here = static_cast<std::size_t>(i) * columns + j;
      score[here] = best_of(score[here - columns - 1] + problem.similarity[here], score[here - 1] - problem.gap,
                            score[here - columns] - problem.gap);
    }
  }
  return score;
}

std::vector<int> align(const Problem& problem) {
  const workload::DeviceArray<int> similarity(problem.similarity), score(problem.score);
  const int tiles = (problem.columns - 1) / kTile;
  for (int diagonal = 0; diagonal < tiles; ++diagonal)
    upper_left<<<diagonal + 1, kTile>>>(similarity.get(), score.get(), problem.columns, problem.gap, diagonal);
  for (int first_column = 1; first_column < tiles; ++first_column)
    lower_right<<<tiles - first_column, kTile>>>(similarity.get(), score.get(), problem.columns, problem.gap, tiles,
                                                 first_column);
  CUDA_CHECK(cudaGetLastError());
  return score.download();
}

}  // namespace

int main(int argc, char** argv) {
  int tiles = 16, gap = 10;
  workload::Options("nw", "Needleman-Wunsch alignment scores of two sequences, checked exactly")
      .number("--size", tiles, 1, 512, "length of the sequences in tiles of 16 letters")
      .number("--gap", gap, 0, 1000, "what a gap of one letter costs")
      .parse(argc, argv);

  const Problem problem = make_problem(tiles * kTile, gap);
  const std::vector<int> score = align(problem);
  workload::expect_equal("scores", score, reference(problem));
  std::printf("score of the best alignment: %d\n", score.back());
  return workload::pass();
}
