// Temperatures on a chip over time: HOTSP of Rodinia as the papers describe it, a five-point stencil with two time
// steps a launch ("pyramid" blocking: a block computes its 16 x 16 tile with a halo that shrinks at every step).
//
// Only the halo and the chip's borders diverge: warps are almost full, and the work is arithmetic.
#include <cmath>

#include "../common/check.h"

namespace {

constexpr int kBlock = 16;
constexpr int kStepsPerLaunch = 2;
constexpr int kTile = kBlock - 2 * kStepsPerLaunch;  // cells a block finishes, per dimension

// Heat balance of one cell; the chip is a square of 16 mm, 0.5 mm of silicon thick.
struct Chip {
  int size;                      // cells per dimension
  float step_over_capacity;      // K per W in one time step
  float per_rx, per_ry, per_rz;  // W per K to the sides and to the surroundings
  float ambient;                 // degrees Celsius
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
  const double sideways = 2.0 * kConductivity * kThickness;  // 1/R = 2 k t w / w: cells are square
  const double upwards = kConductivity * cell * cell / kThickness;
  const double max_slope = kMaxPowerDensity / (kFittingFactor * kThickness * kHeatCapacity);
  // A step that takes more than all the heat that a cell can give would make an explicit scheme swing.
  const double stable = 0.9 * capacity / (4.0 * sideways + upwards);
  const double step = std::fmin(kPrecision / max_slope, stable);
  return {size,
          static_cast<float>(step / capacity),
          static_cast<float>(sideways),
          static_cast<float>(sideways),
          static_cast<float>(upwards),
          80.0f};
}

__device__ inline int at_most(int value, int bound) { return value < bound ? value : bound; }
__device__ inline int at_least(int value, int bound) { return value > bound ? value : bound; }

__global__ void hotspot(const float* power, const float* before, float* after, Chip chip, int steps) {
  __shared__ float current[kBlock][kBlock];
  __shared__ float watts[kBlock][kBlock];
  __shared__ float next[kBlock][kBlock];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int last = chip.size - 1;
  const int left = kTile * static_cast<int>(blockIdx.x) - kStepsPerLaunch;
  const int top = kTile * static_cast<int>(blockIdx.y) - kStepsPerLaunch;
  const int column = left + tx, row = top + ty;
  const bool on_chip = row >= 0 && row <= last && column >= 0 && column <= last;
  const int cell = row * chip.size + column;

  if (on_chip) {
    current[ty][tx] = before[cell];
    watts[ty][tx] = power[cell];
  }
  __syncthreads();

  // The part of the block that lies on the chip; a neighbour beyond the chip is the border cell itself.
  const int first_x = at_least(-left, 0), last_x = at_most(last - left, kBlock - 1);
  const int first_y = at_least(-top, 0), last_y = at_most(last - top, kBlock - 1);
  const int north = at_least(ty - 1, first_y), south = at_most(ty + 1, last_y);
  const int west = at_least(tx - 1, first_x), east = at_most(tx + 1, last_x);

  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = false;
    if (tx > step && tx < kBlock - 1 - step && ty > step && ty < kBlock - 1 - step && on_chip) {
      computed = true;
      const float here = current[ty][tx];
      next[ty][tx] = here + chip.step_over_capacity *
                                (watts[ty][tx] + (current[south][tx] + current[north][tx] - 2.0f * here) * chip.per_ry +
                                 (current[ty][east] + current[ty][west] - 2.0f * here) * chip.per_rx +
                                 (chip.ambient - here) * chip.per_rz);
    }
    __syncthreads();
    if (step == steps - 1) break;
    if (computed) current[ty][tx] = next[ty][tx];
    __syncthreads();
  }

  const bool in_tile =
      tx >= kStepsPerLaunch && tx < kBlock - kStepsPerLaunch && ty >= kStepsPerLaunch && ty < kBlock - kStepsPerLaunch;
  if (computed && in_tile) after[cell] = next[ty][tx];
}

std::vector<double> reference(const Chip& chip, const std::vector<float>& power, const std::vector<float>& start,
                              int steps) {
  const int size = chip.size;
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
        then[cell] = here + chip.step_over_capacity *
                                (power[cell] + (at(row + 1, column) + at(row - 1, column) - 2 * here) * chip.per_ry +
                                 (at(row, column + 1) + at(row, column - 1) - 2 * here) * chip.per_rx +
                                 (chip.ambient - here) * chip.per_rz);
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
  const int tiles = (chip.size + kTile - 1) / kTile;
  for (int done = 0; done < steps; done += kStepsPerLaunch) {
    const int now = steps - done < kStepsPerLaunch ? steps - done : kStepsPerLaunch;
    hotspot<<<dim3(tiles, tiles), dim3(kBlock, kBlock)>>>(watts.get(), before->get(), after->get(), chip, now);
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
