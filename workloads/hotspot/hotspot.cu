// Temperatures on a chip over time: HOTSP of the spatio-temporal SIMT paper's Table II, Rodinia's hotspot (Che et al.
// 2009; Huang et al. 2006), a five-point stencil with two time steps a launch ("pyramid" blocking: a block loads 16 x
// 16 cells, and those that it can still compute shrink by a cell on every side at every step).
//
// What the kernel costs is Rodinia's: every thread divides the chip's parameters itself, the sides of what a block
// finishes follow from the number of steps at run time, each step tests eight bounds, and the factor 2.0 is a double,
// so that the heat balance is added up in double precision. Only the halo and the chip's borders diverge.
#include <cmath>

#include "../common/check.h"

namespace {

constexpr int kBlock = 16;
constexpr int kStepsPerLaunch = 2;
constexpr float kAmbient = 80.0f;  // degrees Celsius

// Heat balance of one cell; the chip is a square of 16 mm, 0.5 mm of silicon thick.
struct Chip {
  int columns, rows;
  float capacity;    // J per K
  float rx, ry, rz;  // K per W to the sides and to the surroundings
  float step;        // s
};

Chip make_chip(int size) {
  constexpr double kSide = 0.016, kThickness = 0.0005;  // m
  constexpr double kConductivity = 100.0;               // W/(m K), silicon
  constexpr double kHeatCapacity = 1.75e6;              // J/(m^3 K), silicon
  constexpr double kFittingFactor = 0.5;                // share of the silicon that heats up within a step
  constexpr double kMaxPowerDensity = 3.0e6;            // W/m^3
  constexpr double kPrecision = 0.001;                  // K that a step may change at most
  const double cell = kSide / size;
  const double capacity = kFittingFactor * kHeatCapacity * kThickness * cell * cell;
  const double sideways = 1.0 / (2.0 * kConductivity * kThickness);  // R = w / (2 k t w): cells are square
  const double upwards = kThickness / (kConductivity * cell * cell);
  const double max_slope = kMaxPowerDensity / (kFittingFactor * kThickness * kHeatCapacity);
  // A step that takes more than all the heat that a cell can give would make an explicit scheme swing.
  const double stable = 0.9 * capacity / (4.0 / sideways + 1.0 / upwards);
  const double step = std::fmin(kPrecision / max_slope, stable);
  return {size,
          size,
          static_cast<float>(capacity),
          static_cast<float>(sideways),
          static_cast<float>(sideways),
          static_cast<float>(upwards),
          static_cast<float>(step)};
}

__device__ inline bool in_range(int value, int least, int most) { return value >= least && value <= most; }

// Does `steps` time steps. Block (0, 0) begins `border_columns` and `border_rows` cells outside the chip.
__global__ void hotspot(int steps, const float* power, const float* before, float* after, Chip chip, int border_columns,
                        int border_rows) {
  __shared__ float current[kBlock][kBlock];
  __shared__ float watts[kBlock][kBlock];
  __shared__ float next[kBlock][kBlock];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const float step_over_capacity = chip.step / chip.capacity;
  const float per_rx = 1 / chip.rx, per_ry = 1 / chip.ry, per_rz = 1 / chip.rz;

  const int tile = kBlock - 2 * steps;  // cells a block finishes, per dimension
  const int left = tile * static_cast<int>(blockIdx.x) - border_columns, right = left + kBlock - 1;
  const int top = tile * static_cast<int>(blockIdx.y) - border_rows, bottom = top + kBlock - 1;
  const int column = left + tx, row = top + ty;
  const int cell = chip.columns * row + column;

  if (in_range(row, 0, chip.rows - 1) && in_range(column, 0, chip.columns - 1)) {
    current[ty][tx] = before[cell];
    watts[ty][tx] = power[cell];
  }
  __syncthreads();

  // The part of the block that lies on the chip; a neighbour beyond the chip is the border cell itself.
  const int first_x = left < 0 ? -left : 0;
  const int first_y = top < 0 ? -top : 0;
  const int last_x = right > chip.columns - 1 ? kBlock - 1 - (right - chip.columns + 1) : kBlock - 1;
  const int last_y = bottom > chip.rows - 1 ? kBlock - 1 - (bottom - chip.rows + 1) : kBlock - 1;
  const int north = ty - 1 < first_y ? first_y : ty - 1, south = ty + 1 > last_y ? last_y : ty + 1;
  const int west = tx - 1 < first_x ? first_x : tx - 1, east = tx + 1 > last_x ? last_x : tx + 1;

  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = false;
    if (in_range(tx, step + 1, kBlock - 2 - step) && in_range(ty, step + 1, kBlock - 2 - step) &&
        in_range(tx, first_x, last_x) && in_range(ty, first_y, last_y)) {
      computed = true;
      const float here = current[ty][tx];
      // What is added to a term with 2.0, a double, is converted to double before.
      next[ty][tx] =
          here + step_over_capacity *
                     (watts[ty][tx] + (current[south][tx] + current[north][tx] - 2.0 * here) * per_ry +
                      (current[ty][east] + current[ty][west] - 2.0 * here) * per_rx + (kAmbient - here) * per_rz);
    }
    __syncthreads();
    if (step == steps - 1) break;
    if (computed) current[ty][tx] = next[ty][tx];
    __syncthreads();
  }

  // In the last step those threads compute whose cells the block finishes.
  if (computed) after[cell] = next[ty][tx];
}

std::vector<double> reference(const Chip& chip, const std::vector<float>& power, const std::vector<float>& start,
                              int steps) {
  const int size = chip.columns;
  const double step_over_capacity = double{chip.step} / chip.capacity;
  std::vector<double> now(start.begin(), start.end());
  std::vector<double> then(now.size());
  for (int step = 0; step < steps; ++step) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const auto at = [&](int r, int c) {
          r = r < 0 ? 0 : r >= size ? size - 1 : r;
          c = c < 0 ? 0 : c >= size ? size - 1 : c;
          return now[static_cast<std::size_t>(r) * size + c];
        };
        const double here = at(row, column);
        const std::size_t cell = static_cast<std::size_t>(row) * size + column;
        then[cell] =
            here + step_over_capacity *
                       (power[cell] + (at(row + 1, column) + at(row - 1, column) - 2 * here) / chip.ry +
                        (at(row, column + 1) + at(row, column - 1) - 2 * here) / chip.rx + (kAmbient - here) / chip.rz);
      }
    }
    now.swap(then);
  }
  return now;
}

std::vector<float> simulate(const Chip& chip, const std::vector<float>& power, const std::vector<float>& start,
                            int steps) {
  const workload::DeviceArray<float> watts(power), first(start), second(start);
  const workload::DeviceArray<float>*before = &first, *after = &second;
  constexpr int kTile = kBlock - 2 * kStepsPerLaunch;
  const int tiles = (chip.columns + kTile - 1) / kTile;
  for (int done = 0; done < steps; done += kStepsPerLaunch) {
    const int now = steps - done < kStepsPerLaunch ? steps - done : kStepsPerLaunch;
    hotspot<<<dim3(tiles, tiles), dim3(kBlock, kBlock)>>>(now, watts.get(), before->get(), after->get(), chip, now,
                                                          now);
    CUDA_CHECK(cudaGetLastError());
    std::swap(before, after);
  }
  return before->download();
}

}  // namespace

int main(int argc, char** argv) {
  int size = 128, steps = 8;
  workload::Options("hotspot", "temperatures on a chip, checked to 1e-5 of the reference in double precision")
      .number("--size", size, 1, 4096, "cells of the chip per dimension")
      .number("--steps", steps, 0, 1000000, "time steps, two a launch")
      .parse(argc, argv);

  workload::Random random(3);
  std::vector<float> power, start;
  for (int i = 0; i < size * size; ++i) {
    start.push_back(40.0f + 20.0f * random.unit());
    power.push_back(random.below(8) == 0 ? 0.05f * random.unit() : 0.001f);  // W; a few cells are hot
  }
  const Chip chip = make_chip(size);
  workload::expect_near("temperatures", simulate(chip, power, start, steps), reference(chip, power, start, steps),
                        1e-5);
  return workload::pass();
}
