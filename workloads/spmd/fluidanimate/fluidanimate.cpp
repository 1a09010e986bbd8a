// Flow of a liquid after PARSEC's fluidanimate (Bienia et al. 2008): a block of water collapses in a tank. Space is a
// grid of cells, threads own rectangles of columns of cells. Each pair of near particles is computed once and changes
// both; where a cell touches another thread's, changes of its particles are made under the cell's lock.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "fluid.h"

namespace fluidanimate {
namespace {

struct Fluid {
  Fluid(float width, int steps, int threads) : width(width), grid(width), steps(steps), barrier(threads) {
    const int cells = grid.cells * grid.cells * grid.cells;
    first.assign(cells, kNone);
    first_before.assign(cells, kNone);
    shared.assign(cells, false);
    locks = std::vector<spmd::Lock>(cells);
  }

  float width;  // m, of the tank in each dimension
  Grid grid;
  int steps;
  std::vector<Particle> particles;
  std::vector<int> first, first_before;  // particle of a cell, now and in the step before
  std::vector<char> shared;              // whether a cell touches one of another thread
  std::vector<spmd::Lock> locks;         // a cell's
  spmd::Barrier barrier;
};

// The columns of cells that a thread owns.
struct Columns {
  spmd::Range x, z;
};

// Threads form a rectangle as near to a square as their number allows.
Columns columns_of(const Grid& grid, int thread, int threads) {
  int across = static_cast<int>(std::sqrt(threads));
  while (threads % across != 0) --across;
  return {spmd::share(grid.cells, across, thread % across), spmd::share(grid.cells, threads / across, thread / across)};
}

template <class Visit>
void for_each_cell(const Grid& grid, const Columns& columns, Visit visit) {
  for (int z = columns.z.begin; z < columns.z.end; ++z)
    for (int y = 0; y < grid.cells; ++y)
      for (int x = columns.x.begin; x < columns.x.end; ++x) visit(x, y, z);
}

void mark_shared(Fluid& fluid, const Columns& mine) {
  const auto at_edge = [&fluid](int place, spmd::Range range) {
    return (place == range.begin && place > 0) || (place == range.end - 1 && place < fluid.grid.cells - 1);
  };
  for_each_cell(fluid.grid, mine, [&](int x, int y, int z) {
    fluid.shared[fluid.grid.index(x, y, z)] = at_edge(x, mine.x) || at_edge(z, mine.z);
  });
}

// A cell's lock, where it needs one.
class CellGuard {
 public:
  CellGuard(Fluid& fluid, int cell) : lock_(fluid.shared[cell] ? &fluid.locks[cell] : nullptr) {
    if (lock_ != nullptr) lock_->acquire();
  }
  ~CellGuard() {
    if (lock_ != nullptr) lock_->release();
  }
  CellGuard(const CellGuard&) = delete;
  CellGuard& operator=(const CellGuard&) = delete;

 private:
  spmd::Lock* lock_;
};

// Moves the particles and puts them into their new cells. A particle moves less than a cell's width in a step, so that
// whoever enters another thread's cell enters one that touches its own, which has a lock.
void move_particles(Fluid& fluid, int cell) {
  for (int i = fluid.first_before[cell], next; i != kNone; i = next) {
    Particle& particle = fluid.particles[i];
    next = particle.next;
    particle.velocity = particle.velocity + kTimeStep * particle.acceleration;
    particle.position = particle.position + kTimeStep * particle.velocity;
    particle.acceleration = kGravity;
    particle.density = density_term(0);  // its own
    const int target = fluid.grid.cell_of(particle.position);
    const CellGuard guard(fluid, target);
    particle.next = fluid.first[target];
    fluid.first[target] = i;
  }
}

// Calls use(particle, its cell, other, other's cell, squared distance) for each pair within reach that has a particle
// in this cell and the other further down its list, or in a cell of lower index.
template <class Use>
void for_each_pair(Fluid& fluid, int x, int y, int z, Use use) {
  const Grid& grid = fluid.grid;
  const int cell = grid.index(x, y, z);
  const auto try_list = [&](Particle& particle, int list, int other_cell) {
    for (int i = list; i != kNone; i = fluid.particles[i].next) {
      Particle& other = fluid.particles[i];
      const float distance_squared = square(particle.position - other.position);
      if (distance_squared < kReach * kReach) use(particle, cell, other, other_cell, distance_squared);
    }
  };
  for (int i = fluid.first[cell]; i != kNone; i = fluid.particles[i].next) {
    Particle& particle = fluid.particles[i];
    try_list(particle, particle.next, cell);
    for (int k = std::max(z - 1, 0); k <= z; ++k)
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, grid.cells - 1); ++j)
        for (int h = std::max(x - 1, 0); h <= std::min(x + 1, grid.cells - 1); ++h) {
          const int other_cell = grid.index(h, j, k);
          if (other_cell < cell) try_list(particle, fluid.first[other_cell], other_cell);
        }
  }
}

void add_densities(Fluid& fluid, int x, int y, int z) {
  for_each_pair(fluid, x, y, z, [&](Particle& one, int cell, Particle& other, int other_cell, float distance_squared) {
    const float term = density_term(distance_squared);
    const auto add = [&](Particle& particle, int where) {
      const CellGuard guard(fluid, where);
      particle.density += term;
    };
    add(one, cell);
    add(other, other_cell);
  });
}

void add_forces(Fluid& fluid, int x, int y, int z) {
  for_each_pair(fluid, x, y, z, [&](Particle& one, int cell, Particle& other, int other_cell, float distance_squared) {
    const Vector acceleration = pair_acceleration(one, other, distance_squared);
    const auto add = [&](Particle& particle, int where, float sign) {
      const CellGuard guard(fluid, where);
      particle.acceleration = particle.acceleration + sign * acceleration;
    };
    add(one, cell, 1);
    add(other, other_cell, -1);
  });
}

template <class Use>
void for_each_particle(Fluid& fluid, const Columns& mine, Use use) {
  for_each_cell(fluid.grid, mine, [&](int x, int y, int z) {
    for (int i = fluid.first[fluid.grid.index(x, y, z)]; i != kNone; i = fluid.particles[i].next)
      use(fluid.particles[i]);
  });
}

void step(Fluid& fluid, const Columns& mine, bool first_thread) {
  const Grid& grid = fluid.grid;
  if (first_thread) std::swap(fluid.first, fluid.first_before);
  fluid.barrier.wait();
  for_each_cell(grid, mine, [&](int x, int y, int z) { fluid.first[grid.index(x, y, z)] = kNone; });
  fluid.barrier.wait();
  for_each_cell(grid, mine, [&](int x, int y, int z) { move_particles(fluid, grid.index(x, y, z)); });
  fluid.barrier.wait();
  for_each_cell(grid, mine, [&](int x, int y, int z) { add_densities(fluid, x, y, z); });
  fluid.barrier.wait();
  const float factor = density_factor();
  for_each_particle(fluid, mine, [&](Particle& particle) { particle.density *= factor; });
  fluid.barrier.wait();
  for_each_cell(grid, mine, [&](int x, int y, int z) { add_forces(fluid, x, y, z); });
  fluid.barrier.wait();
  for_each_particle(fluid, mine, [&](Particle& particle) {
    const auto [x, y, z] = particle.position;
    const auto [along_x, along_y, along_z] = particle.velocity;
    particle.acceleration = particle.acceleration + Vector{wall_acceleration(x, along_x, fluid.width),
                                                           wall_acceleration(y, along_y, fluid.width),
                                                           wall_acceleration(z, along_z, fluid.width)};
  });
  fluid.barrier.wait();
}

extern "C" [[gnu::noinline]] void* fluidanimate_worker(void* start) {
  const auto [fluid, thread, threads] = *static_cast<spmd::Start<Fluid>*>(start);
  const Columns mine = columns_of(fluid->grid, thread, threads);
  mark_shared(*fluid, mine);
  for (int count = 0; count < fluid->steps; ++count) step(*fluid, mine, thread == 0);
  return nullptr;
}

// A cube of water in one corner of the tank, `side` particles wide, nearly at rest.
void fill(Fluid& fluid, int side) {
  spmd::Random random(13);
  const auto place = [&random](int i) {
    return kSpacing * (static_cast<float>(i) + 0.5f + static_cast<float>(random.between(-0.1, 0.1)));
  };
  for (int i = 0; i < side * side * side; ++i) {
    const Vector position = {place(i % side), place(i / side % side), place(i / side / side)};
    int& first = fluid.first[fluid.grid.cell_of(position)];
    fluid.particles.push_back({position, {}, {}, 0, first});
    first = i;
  }
}

// Some particles' densities and accelerations against sums over all others; all must be in the tank.
void check(spmd::Verdict& verdict, const Fluid& fluid) {
  const int count = static_cast<int>(fluid.particles.size());
  for (int i = 0; i < count; ++i) {
    const auto [x, y, z] = fluid.particles[i].position;
    verdict.require(std::min({x, y, z}) > 0 && std::max({x, y, z}) < fluid.width, "particle %d left the tank", i);
    verdict.require(square(fluid.particles[i].velocity) * kTimeStep * kTimeStep < kReach * kReach,
                    "particle %d is too fast for the grid", i);
  }
  for (int i = 0; i < count; i += std::max(1, count / 50)) {
    const Particle& self = fluid.particles[i];
    double density = 0, pushed = 0;  // kg/m^3; m/s^2, all pairs' accelerations in size
    Vector acceleration = kGravity;
    for (const Particle& other : fluid.particles) {
      const float distance_squared = square(self.position - other.position);
      if (distance_squared >= kReach * kReach) continue;
      density += double{density_term(distance_squared)} * density_factor();
      if (&other == &self) continue;
      const Vector term = pair_acceleration(self, other, distance_squared);
      acceleration = acceleration + term;
      pushed += std::sqrt(square(term));
    }
    acceleration = acceleration + Vector{wall_acceleration(self.position.x, self.velocity.x, fluid.width),
                                         wall_acceleration(self.position.y, self.velocity.y, fluid.width),
                                         wall_acceleration(self.position.z, self.velocity.z, fluid.width)};
    verdict.near("density of particle", i, self.density, density, 1e-5 * density);
    verdict.near("acceleration of particle", i, std::sqrt(square(self.acceleration - acceleration)), 0,
                 1e-5 * (pushed + std::sqrt(square(acceleration))));
  }
}

}  // namespace
}  // namespace fluidanimate

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"SIDE", 5, 16, 2, 200}, {"STEPS", 2, 4, 1, 10000}});
  const int side = command[0];
  fluidanimate::Fluid fluid(1.5f * static_cast<float>(side) * fluidanimate::kSpacing, command[1], command.threads());
  fluidanimate::fill(fluid, side);
  spmd::run_threads(command.threads(), fluidanimate::fluidanimate_worker, fluid);

  spmd::Verdict verdict;
  fluidanimate::check(verdict, fluid);
  double height = 0;
  for (const fluidanimate::Particle& particle : fluid.particles) height += particle.position.y;
  const std::size_t count = fluid.particles.size();
  // Sums depend on the order in which threads get the locks, in digits that are not printed.
  std::printf("fluidanimate: %zu particles, mean height %.3f mm\n", count, 1e3 * height / static_cast<double>(count));
  return verdict.conclude();
}
