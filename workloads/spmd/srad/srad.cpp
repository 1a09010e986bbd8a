// Removal of speckle from an ultrasound image after Rodinia's srad (Che et al. 2009; Yu and Acton 2002): diffusion that
// is slow across edges. A step finds how much noise there is in a uniform region, then the diffusion coefficient of
// each pixel from its gradients, then the new image from gradients and coefficients. Threads take rows.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr float kLambda = 0.5f;  // weight of a step
constexpr int kRegion = 16;      // side of the uniform region, in the upper left corner

struct Image {
  explicit Image(int side) : side(side), pixels(side * side) {}

  int side;
  std::vector<float> pixels;
};

// Variance over squared mean in the uniform region.
template <class Pixels>
double noise(const Pixels& pixels, int side) {
  double sum = 0, squares = 0;
  const int region = std::min(kRegion, side);
  for (int row = 0; row < region; ++row)
    for (int column = 0; column < region; ++column) {
      const double pixel = pixels[row * side + column];
      sum += pixel;
      squares += pixel * pixel;
    }
  const double mean = sum / (region * region);
  return (squares / (region * region) - mean * mean) / (mean * mean);
}

// What a step leaves behind for each pixel.
struct Gradients {
  explicit Gradients(std::size_t pixels)
      : north(pixels), south(pixels), west(pixels), east(pixels), coefficient(pixels) {}

  std::vector<float> north, south, west, east;
  std::vector<float> coefficient;
};

// A pixel beyond the border is the one at the border. The original looks neighbours up in four tables, too.
struct Neighbours {
  explicit Neighbours(int side) : before(side), after(side) {
    for (int i = 0; i < side; ++i) {
      before[i] = std::max(i - 1, 0);
      after[i] = std::min(i + 1, side - 1);
    }
  }

  std::vector<int> before, after;
};

void find_coefficient(const Image& image, const Neighbours& next_to, Gradients& gradients, int row, int column,
                      float noise) {
  const int side = image.side, pixel = row * side + column;
  const float* pixels = image.pixels.data();
  const float here = pixels[pixel];
  const float north = pixels[next_to.before[row] * side + column] - here;
  const float south = pixels[next_to.after[row] * side + column] - here;
  const float west = pixels[row * side + next_to.before[column]] - here;
  const float east = pixels[row * side + next_to.after[column]] - here;

  const float gradient = (north * north + south * south + west * west + east * east) / (here * here);
  const float laplacian = (north + south + west + east) / here;
  const float scale = 1 + 0.25f * laplacian;
  const float variation = (0.5f * gradient - (1.0f / 16) * laplacian * laplacian) / (scale * scale);
  float coefficient = 1 / (1 + (variation - noise) / (noise * (1 + noise)));
  if (coefficient < 0)
    coefficient = 0;
  else if (coefficient > 1)
    coefficient = 1;

  gradients.north[pixel] = north;
  gradients.south[pixel] = south;
  gradients.west[pixel] = west;
  gradients.east[pixel] = east;
  gradients.coefficient[pixel] = coefficient;
}

void diffuse(Image& image, const Neighbours& next_to, const Gradients& gradients, int row, int column) {
  const int side = image.side, pixel = row * side + column;
  const float here = gradients.coefficient[pixel];
  const float south = gradients.coefficient[next_to.after[row] * side + column];
  const float east = gradients.coefficient[row * side + next_to.after[column]];
  const float divergence = here * gradients.north[pixel] + south * gradients.south[pixel] +
                           here * gradients.west[pixel] + east * gradients.east[pixel];
  image.pixels[pixel] += 0.25f * kLambda * divergence;
}

extern "C" [[gnu::noinline]] void srad_worker(Image& image, int steps) {
  const int side = image.side;
  const Neighbours next_to(side);
  Gradients gradients(image.pixels.size());
  for (int step = 0; step < steps; ++step) {
    const float noise_now = static_cast<float>(noise(image.pixels, side));
#pragma omp parallel for schedule(static)
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) find_coefficient(image, next_to, gradients, row, column, noise_now);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) diffuse(image, next_to, gradients, row, column);
  }
}

// A step in double precision, straight from the equations: coefficients first, then the new image.
std::vector<double> reference_step(const std::vector<double>& image, int side) {
  const auto at = [side](const std::vector<double>& values, int row, int column) {
    return values[std::clamp(row, 0, side - 1) * side + std::clamp(column, 0, side - 1)];
  };
  constexpr int kAside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  const double noise_now = noise(image, side);
  std::vector<double> coefficients, result = image;
  for (int i = 0; i < side * side; ++i) {
    double gradient = 0, laplacian = 0;
    for (const auto& [down, right] : kAside) {
      const double slope = at(image, i / side + down, i % side + right) / image[i] - 1;
      gradient += slope * slope;
      laplacian += slope;
    }
    const double variation = (gradient / 2 - laplacian * laplacian / 16) / ((1 + laplacian / 4) * (1 + laplacian / 4));
    const double coefficient = 1 / (1 + (variation - noise_now) / (noise_now * (1 + noise_now)));
    coefficients.push_back(std::clamp(coefficient, 0.0, 1.0));
  }
  for (int i = 0; i < side * side; ++i) {
    const int row = i / side, column = i % side;
    const auto flow = [&](int down, int right, double coefficient) {
      return coefficient * (at(image, row + down, column + right) - image[i]);
    };
    result[i] += kLambda / 4 *
                 (flow(-1, 0, coefficients[i]) + flow(1, 0, at(coefficients, row + 1, column)) +
                  flow(0, -1, coefficients[i]) + flow(0, 1, at(coefficients, row, column + 1)));
  }
  return result;
}

// Bright discs on a dark ground, with speckle that multiplies; the exponential of a logarithmic image of 0 to 255.
Image make_image(int side) {
  spmd::Random random(8);
  Image image(side);
  for (int i = 0; i < side * side; ++i) {
    const double x = i % side * 4.0 / side, y = i / side * 4.0 / side;
    const bool disc = std::hypot(x - std::floor(x) - 0.5, y - std::floor(y) - 0.5) < 0.3 && x + y > 1;
    image.pixels[i] = static_cast<float>(std::exp((disc ? 180 : 80) / 255.0) * random.between(0.8, 1.2));
  }
  return image;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"SIDE", 40, 512, 2, 8192}, {"STEPS", 2, 5, 1, 1000}});
  omp_set_num_threads(command.threads());
  Image image = make_image(command[0]);
  std::vector<double> expected(image.pixels.begin(), image.pixels.end());
  srad_worker(image, command[1]);

  for (int step = 0; step < command[1]; ++step) expected = reference_step(expected, image.side);
  spmd::Verdict verdict;
  for (std::size_t i = 0; i < expected.size(); ++i)  // some ten roundings a step, each of at most 3e-7
    verdict.near("pixel", static_cast<int>(i), image.pixels[i], expected[i], 3e-6 * command[1]);
  const double sum = std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0);
  std::printf("srad: %d x %d pixels, mean %.5f, noise %.6f\n", image.side, image.side, sum / expected.size(),
              noise(image.pixels, image.side));
  return verdict.conclude();
}
