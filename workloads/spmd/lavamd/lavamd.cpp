// Forces between particles within a cut-off radius after Rodinia's lavaMD (Szafaryn et al. 2011): space is a cube of
// boxes, a particle interacts with those of its own box and the up to 26 around it. Threads take boxes.
#include <omp.h>

#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr double kAlpha = 0.5;  // the potential is exp(-2 alpha^2 r^2), times charges

struct Particle {
  double x, y, z, charge;
};

struct Force {
  double potential, x, y, z;
};

struct Box {
  int first;                    // of its particles
  std::vector<int> neighbours;  // other boxes
};

struct Space {
  int particles_a_box;
  std::vector<Box> boxes;
  std::vector<Particle> particles;
};

void interact(const Particle& self, const Particle* others, int count, Force& force) {
  for (int i = 0; i < count; ++i) {
    const Particle& other = others[i];
    const double x = self.x - other.x, y = self.y - other.y, z = self.z - other.z;
    const double potential = std::exp(-2 * kAlpha * kAlpha * (x * x + y * y + z * z));
    const double strength = 2 * potential * other.charge;
    force.potential += other.charge * potential;
    force.x += strength * x;
    force.y += strength * y;
    force.z += strength * z;
  }
}

extern "C" [[gnu::noinline]] void lavamd_worker(const Space& space, std::vector<Force>& forces) {
  const int count = space.particles_a_box;
#pragma omp parallel for schedule(static)
  for (std::size_t box = 0; box < space.boxes.size(); ++box) {
    const Box& home = space.boxes[box];
    for (int neighbour = -1; neighbour < static_cast<int>(home.neighbours.size()); ++neighbour) {
      const int first = neighbour < 0 ? home.first : space.boxes[home.neighbours[neighbour]].first;
      for (int i = home.first; i < home.first + count; ++i)
        interact(space.particles[i], &space.particles[first], count, forces[i]);
    }
  }
}

Space make_space(int side, int particles_a_box) {
  Space space{particles_a_box, {}, {}};
  spmd::Random random(11);
  const auto exists = [side](int coordinate) { return coordinate >= 0 && coordinate < side; };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        Box box{static_cast<int>(space.particles.size()), {}};
        for (int k = z - 1; k <= z + 1; ++k)
          for (int j = y - 1; j <= y + 1; ++j)
            for (int i = x - 1; i <= x + 1; ++i)
              if (exists(i) && exists(j) && exists(k) && (i != x || j != y || k != z))
                box.neighbours.push_back((k * side + j) * side + i);
        space.boxes.push_back(box);
        for (int i = 0; i < particles_a_box; ++i)
          space.particles.push_back({x + random.unit(), y + random.unit(), z + random.unit(), random.between(0.1, 1)});
      }
  return space;
}

// Over all particles, asking of each whether its box touches this one's; forces by the potential's derivative.
Force reference(const Space& space, const Particle& self) {
  const auto near = [](double a, double b) { return std::fabs(std::floor(a) - std::floor(b)) <= 1; };
  Force force{};
  for (const Particle& other : space.particles) {
    if (!near(self.x, other.x) || !near(self.y, other.y) || !near(self.z, other.z)) continue;
    const double distance = std::hypot(self.x - other.x, self.y - other.y, self.z - other.z);
    const double potential = other.charge * std::exp(-2 * std::pow(kAlpha * distance, 2));
    force.potential += potential;
    force.x += 2 * potential * (self.x - other.x);
    force.y += 2 * potential * (self.y - other.y);
    force.z += 2 * potential * (self.z - other.z);
  }
  return force;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"BOXES_A_SIDE", 2, 4, 1, 32}, {"PARTICLES_A_BOX", 16, 40, 1, 1000}});
  omp_set_num_threads(command.threads());
  const Space space = make_space(command[0], command[1]);
  std::vector<Force> forces(space.particles.size());
  lavamd_worker(space, forces);

  spmd::Verdict verdict;
  for (std::size_t box = 0; box < space.boxes.size(); ++box) {  // one particle a box
    const int i = space.boxes[box].first + static_cast<int>(box) % command[1];
    const Force expected = reference(space, space.particles[i]);
    const double tolerance = 1e-12 * expected.potential;  // the terms of all four sums are at most four times as large
    verdict.near("potential", i, forces[i].potential, expected.potential, tolerance);
    verdict.near("force x", i, forces[i].x, expected.x, tolerance);
    verdict.near("force y", i, forces[i].y, expected.y, tolerance);
    verdict.near("force z", i, forces[i].z, expected.z, tolerance);
  }
  double sum = 0;
  for (const Force& force : forces) sum += force.potential;
  std::printf("lavamd: %zu particles, potential %.9f\n", space.particles.size(), sum);
  return verdict.conclude();
}
