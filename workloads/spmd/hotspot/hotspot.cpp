// Temperatures on a chip over time after Rodinia's hotspot (Che et al. 2009; Huang et al. 2006): every step replaces
// each cell's temperature by a sum over its four neighbours, its power and the surroundings. Threads take whole blocks
// of cells; blocks inside the chip are plain vector loops, those at its edges ask for each cell which neighbours exist.
#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr int kBlock = 16;  // cells a side, as in Rodinia

// Heat balance of a cell; the chip is a square of 16 mm, 0.5 mm of silicon thick.
struct Chip {
  int side;                        // cells
  float step_over_capacity;        // K per W in a time step
  float to_side, to_surroundings;  // W per K
  std::vector<float> power;        // W
};

constexpr float kSurroundings = 80;  // degrees Celsius

Chip make_chip(int side) {
  constexpr double kLength = 0.016, kThickness = 0.0005;  // m
  constexpr double kConductivity = 100;                   // W/(m K), silicon
  constexpr double kHeatCapacity = 1.75e6 * 0.5;          // J/(m^3 K), and the share that heats up within a step
  constexpr double kMaxPowerDensity = 3e6;                // W/m^3
  constexpr double kPrecision = 0.001;                    // K that a step may change at most
  const double cell = kLength / side;
  const double step = kPrecision * kThickness * kHeatCapacity / kMaxPowerDensity;
  Chip chip{side,
            static_cast<float>(step / (kHeatCapacity * kThickness * cell * cell)),
            static_cast<float>(2 * kConductivity * kThickness),
            static_cast<float>(kConductivity * cell * cell / kThickness),
            {}};
  spmd::Random random(6);
  for (int i = 0; i < side * side; ++i)  // a few cells are hot
    chip.power.push_back(static_cast<float>(random.below(8) == 0 ? random.between(0, 0.05) : 0.001));
  return chip;
}

// A cell of a block at an edge of the chip: a neighbour that does not exist exchanges no heat. As in the original it is
// asked for each corner first, then for each edge.
float edge_cell(const Chip& chip, const float* before, int row, int column) {
  const int side = chip.side, last = side - 1, cell = row * side + column;
  const float here = before[cell];
  const auto from = [&](int step) { return before[cell + step] - here; };
  float sideways;
  if (row == 0 && column == 0)
    sideways = from(1) + from(side);
  else if (row == 0 && column == last)
    sideways = from(-1) + from(side);
  else if (row == last && column == last)
    sideways = from(-1) + from(-side);
  else if (row == last && column == 0)
    sideways = from(1) + from(-side);
  else if (row == 0)
    sideways = from(1) + from(-1) + from(side);
  else if (column == last)
    sideways = from(side) + from(-side) + from(-1);
  else if (row == last)
    sideways = from(1) + from(-1) + from(-side);
  else if (column == 0)
    sideways = from(side) + from(-side) + from(1);
  else
    sideways = from(side) + from(-side) + from(1) + from(-1);
  return here + chip.step_over_capacity *
                    (chip.power[cell] + sideways * chip.to_side + (kSurroundings - here) * chip.to_surroundings);
}

void inner_block(const Chip& chip, const float* before, float* after, int top, int left) {
  const float factor = chip.step_over_capacity, to_side = chip.to_side, upwards = chip.to_surroundings;
  const int side = chip.side;
  const float* power = chip.power.data();
  for (int row = top; row < top + kBlock; ++row) {
#pragma omp simd
    for (int cell = row * side + left; cell < row * side + left + kBlock; ++cell) {
      const float here = before[cell];
      const float sideways = before[cell - side] + before[cell + side] + before[cell - 1] + before[cell + 1] - 4 * here;
      after[cell] = here + factor * (power[cell] + sideways * to_side + (kSurroundings - here) * upwards);
    }
  }
}

void edge_block(const Chip& chip, const float* before, float* after, int top, int left) {
  for (int row = top; row < std::min(top + kBlock, chip.side); ++row)
    for (int column = left; column < std::min(left + kBlock, chip.side); ++column)
      after[row * chip.side + column] = edge_cell(chip, before, row, column);
}

extern "C" [[gnu::noinline]] void hotspot_worker(const Chip& chip, std::vector<float>& temperatures, int steps) {
  std::vector<float> next(temperatures.size());
  const int blocks = (chip.side + kBlock - 1) / kBlock;
  for (int step = 0; step < steps; ++step) {
    const float* before = temperatures.data();
    float* after = next.data();
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks * blocks; ++block) {
      const int top = block / blocks * kBlock, left = block % blocks * kBlock;
      const bool inside = top > 0 && left > 0 && top + kBlock < chip.side && left + kBlock < chip.side;
      if (inside)
        inner_block(chip, before, after, top, left);
      else
        edge_block(chip, before, after, top, left);
    }
    std::swap(temperatures, next);
  }
}

std::vector<double> reference(const Chip& chip, const std::vector<float>& start, int steps) {
  std::vector<double> before(start.begin(), start.end()), after(before.size());
  const int side = chip.side;
  for (int step = 0; step < steps; ++step) {
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) {
        const auto at = [&](int y, int x) {  // beyond the edge it is as warm as at the edge
          return before[std::clamp(y, 0, side - 1) * side + std::clamp(x, 0, side - 1)];
        };
        const int cell = row * side + column;
        const double here = before[cell];
        const double sideways =
            at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1) - 4 * here;
        after[cell] = here + chip.step_over_capacity * (chip.power[cell] + sideways * chip.to_side +
                                                        (kSurroundings - here) * chip.to_surroundings);
      }
    std::swap(before, after);
  }
  return before;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"SIDE", 48, 512, 2, 8192}, {"STEPS", 4, 40, 1, 100000}});
  omp_set_num_threads(command.threads());
  const Chip chip = make_chip(command[0]);
  spmd::Random random(7);
  std::vector<float> start;
  for (std::size_t i = 0; i < chip.power.size(); ++i) start.push_back(static_cast<float>(random.between(40, 60)));

  std::vector<float> temperatures = start;
  hotspot_worker(chip, temperatures, command[1]);

  const std::vector<double> expected = reference(chip, start, command[1]);
  spmd::Verdict verdict;
  for (std::size_t i = 0; i < expected.size(); ++i)  // a rounding of 4e-6 degrees each step
    verdict.near("cell", static_cast<int>(i), temperatures[i], expected[i], 8e-6 * command[1]);
  std::printf("hotspot: %d x %d cells, hottest %.3f\n", chip.side, chip.side,
              *std::max_element(temperatures.begin(), temperatures.end()));
  return verdict.conclude();
}
