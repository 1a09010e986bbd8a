// Cheapest way through a grid after Rodinia's pathfinder (Che et al. 2009): from any cell of the first row to each of
// the last, one row down and at most one column aside in a step. Row by row the columns are divided over the threads.
#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

// Replaces `costs`, those of the cheapest ways to the cells of the first row, by those of the last.
extern "C" [[gnu::noinline]] void pathfinder_worker(const std::vector<int>& grid, std::vector<int>& costs) {
  const int columns = static_cast<int>(costs.size()), rows = static_cast<int>(grid.size()) / columns;
  std::vector<int> next(columns);
  for (int row = 1; row < rows; ++row) {
    const int* above = costs.data();
    const int* cells = &grid[static_cast<std::size_t>(row) * columns];
    int* here = next.data();
#pragma omp parallel for schedule(static)
    for (int column = 0; column < columns; ++column) {
      int least = above[column];
      if (column > 0) least = std::min(least, above[column - 1]);
      if (column < columns - 1) least = std::min(least, above[column + 1]);
      here[column] = cells[column] + least;
    }
    std::swap(costs, next);
  }
}

// The same in one array with a wall at both ends, so that no column is a special case.
std::vector<int> reference(const std::vector<int>& grid, int columns) {
  constexpr int kWall = 1 << 30;
  const int rows = static_cast<int>(grid.size()) / columns;
  std::vector<int> costs(columns + 2, kWall);
  for (int column = 0; column < columns; ++column) costs[column + 1] = grid[column];
  for (int row = 1; row < rows; ++row) {
    int left = kWall;
    for (int column = 1; column <= columns; ++column) {
      const int least = std::min({left, costs[column], costs[column + 1]});
      left = costs[column];
      costs[column] = least + grid[row * columns + column - 1];
    }
  }
  return {costs.begin() + 1, costs.end() - 1};
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"COLUMNS", 1024, 100000, 1, 1 << 20}, {"ROWS", 20, 100, 1, 1024}});
  omp_set_num_threads(command.threads());
  const int columns = command[0];
  spmd::Random random(4);
  std::vector<int> grid(static_cast<std::size_t>(columns) * command[1]);
  for (int& cell : grid) cell = static_cast<int>(random.below(10));

  std::vector<int> costs(grid.begin(), grid.begin() + columns);
  pathfinder_worker(grid, costs);

  const std::vector<int> expected = reference(grid, columns);
  spmd::Verdict verdict;
  for (int i = 0; i < columns; ++i)
    verdict.require(costs[i] == expected[i], "column %d: got %d, expected %d", i, costs[i], expected[i]);
  std::printf("pathfinder: %d columns, cheapest way %d\n", columns, *std::min_element(costs.begin(), costs.end()));
  return verdict.conclude();
}
