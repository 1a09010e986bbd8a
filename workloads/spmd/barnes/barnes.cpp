// Bodies under gravity after SPLASH-2's barnes (Woo et al. 1995; Barnes and Hut 1986): in every step all threads build
// an octree together, then each computes the forces on the bodies of its zone by walking the tree. A cell that is small
// for its distance counts as one body. Zones are parts of the tree of equal cost ("costzones", Singh et al. 1995).
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "tree.h"

namespace barnes {
namespace {

constexpr double kOpening = 0.7;     // a cell is opened if its side is more than this times its distance
constexpr double kSoftening = 0.05;  // keeps forces between close bodies finite
constexpr double kTimeStep = 0.025;

struct Corners {
  Vector low, high;
};

void include(Corners& corners, Vector point) {
  corners.low = {std::min(corners.low.x, point.x), std::min(corners.low.y, point.y), std::min(corners.low.z, point.z)};
  corners.high = {std::max(corners.high.x, point.x), std::max(corners.high.y, point.y),
                  std::max(corners.high.z, point.z)};
}

Cube cube_around(const Corners& corners) {
  const Vector size = corners.high - corners.low;
  return {0.5 * (corners.low + corners.high), 0.5001 * std::max({size.x, size.y, size.z})};
}

struct Simulation {
  Simulation(int bodies, int steps, int threads)
      : steps(steps), bodies(bodies), tree(threads), zones(threads), barrier(threads) {}

  int steps;
  std::vector<Body> bodies;
  Tree tree;
  std::vector<std::vector<Body*>> zones;  // each thread's
  Corners corners{};                      // around the origin and all bodies, of all steps
  spmd::Lock corners_lock;
  spmd::Barrier barrier;
};

// What attracts `from`, as if it were one point.
Vector attraction(Vector from, double mass, Vector position) {
  const Vector away = position - from;
  const double distance_squared = square(away) + kSoftening * kSoftening;
  return mass / (distance_squared * std::sqrt(distance_squared)) * away;
}

bool must_open(Vector from, Vector centre_of_mass, double side) {
  return side * side > kOpening * kOpening * square(centre_of_mass - from);
}

void walk(const Node& node, double side, Body& body) {
  if (&node == &body) return;
  if (node.is_cell && must_open(body.position, node.position, side)) {
    for (const std::atomic<Node*>& child : static_cast<const Cell&>(node).children) {
      const Node* next = child.load(std::memory_order_relaxed);
      if (next != nullptr) walk(*next, side / 2, body);
    }
    return;
  }
  body.acceleration = body.acceleration + attraction(body.position, node.mass, node.position);
  ++body.cost;
}

// Collects the bodies between two costs in the order of the tree; `before` is the cost of all that precede `node`.
void collect(Node& node, int before, spmd::Range zone, std::vector<Body*>& bodies) {
  if (before >= zone.end || before + node.cost <= zone.begin) return;
  if (!node.is_cell) {
    if (before >= zone.begin) bodies.push_back(static_cast<Body*>(&node));
    return;
  }
  for (std::atomic<Node*>& child : static_cast<Cell&>(node).children) {
    Node* next = child.load(std::memory_order_relaxed);
    if (next == nullptr) continue;
    collect(*next, before, zone, bodies);
    before += next->cost;
  }
}

// Moves the zone's bodies and widens the corners so that they hold all of them.
void move_bodies(Simulation& simulation, std::vector<Body*>& zone) {
  if (zone.empty()) return;
  Corners mine{zone[0]->position, zone[0]->position};
  for (Body* body : zone) {
    body->position = body->position + kTimeStep * body->velocity;
    include(mine, body->position);
  }
  simulation.corners_lock.acquire();
  include(simulation.corners, mine.low);
  include(simulation.corners, mine.high);
  simulation.corners_lock.release();
}

// Each thread sums up the cells that it made, the deepest first: cells above need those below.
void sum_cells(Simulation& simulation, int thread, int threads) {
  std::size_t levels = 0;
  for (int other = 0; other < threads; ++other) levels = std::max(levels, simulation.tree.pool(other).levels());
  CellPool& mine = simulation.tree.pool(thread);
  for (std::size_t level = levels; level-- > 0;) {
    if (level < mine.levels())
      for (Cell* cell : mine.level(level)) sum_children(*cell);
    simulation.barrier.wait();
  }
}

void step(Simulation& simulation, int thread, int threads) {
  std::vector<Body*>& zone = simulation.zones[thread];
  Tree& tree = simulation.tree;
  move_bodies(simulation, zone);
  tree.pool(thread).clear();
  simulation.barrier.wait();
  if (thread == 0) tree.start(cube_around(simulation.corners));
  simulation.barrier.wait();
  for (Body* body : zone) tree.insert(*body, thread);
  simulation.barrier.wait();
  sum_cells(simulation, thread, threads);

  zone.clear();
  collect(*tree.root(), 0, spmd::share(tree.root()->cost, threads, thread), zone);
  simulation.barrier.wait();  // before costs change
  const double side = 2 * tree.root()->cube.half;
  for (Body* body : zone) {
    body->acceleration = {};
    body->cost = 0;
    walk(*tree.root(), side, *body);
    body->velocity = body->velocity + kTimeStep * body->acceleration;
  }
  simulation.barrier.wait();
}

extern "C" [[gnu::noinline]] void* barnes_worker(void* start) {
  const auto [simulation, thread, threads] = *static_cast<spmd::Start<Simulation>*>(start);
  const spmd::Range mine = spmd::share(static_cast<int>(simulation->bodies.size()), threads, thread);
  for (int i = mine.begin; i < mine.end; ++i) simulation->zones[thread].push_back(&simulation->bodies[i]);
  for (int count = 0; count < simulation->steps; ++count) step(*simulation, thread, threads);
  return nullptr;
}

// A Plummer sphere: random places and velocities of a cluster in equilibrium (Aarseth, Henon and Wielen 1974).
void place_bodies(std::vector<Body>& bodies) {
  spmd::Random random(12);
  const auto direction = [&random](double length) {
    const double z = random.between(-1, 1), angle = random.between(0, 6.283185307179586);
    const double across = std::sqrt(1 - z * z);
    return length * Vector{across * std::cos(angle), across * std::sin(angle), z};
  };
  for (Body& body : bodies) {
    const double radius = 1 / std::sqrt(std::pow(random.between(0.001, 0.99), -2.0 / 3) - 1);
    double share, chance;  // of the escape velocity
    do {
      share = random.unit();
      chance = random.between(0, 0.1);
    } while (chance > share * share * std::pow(1 - share * share, 3.5));
    const double speed = share * std::sqrt(2) * std::pow(1 + radius * radius, -0.25);
    body = {{false, 1.0 / static_cast<double>(bodies.size()), direction(radius), 1}, direction(speed), {}};
  }
}

// The same sum without a tree: the bodies of a cube are one mass, or are divided anew into the eight cubes in it.
Vector reference(const std::vector<const Body*>& bodies, const Cube& cube, const Body& self) {
  if (bodies.empty() || (bodies.size() == 1 && bodies[0] == &self)) return {};
  double mass = 0;
  Vector moment{};
  for (const Body* body : bodies) {
    mass += body->mass;
    moment = moment + body->mass * body->position;
  }
  const Vector centre = (1 / mass) * moment;
  if (bodies.size() == 1 || !must_open(self.position, centre, 2 * cube.half))
    return attraction(self.position, mass, centre);
  Vector sum{};
  for (int octant = 0; octant < 8; ++octant) {
    std::vector<const Body*> inside;
    for (const Body* body : bodies)
      if (cube.octant_of(body->position) == octant) inside.push_back(body);
    sum = sum + reference(inside, cube.octant(octant), self);
  }
  return sum;
}

// Some bodies' accelerations must be those of the plain Barnes-Hut sum, and near those of the sum over all pairs.
void check(spmd::Verdict& verdict, const Simulation& simulation, int samples) {
  std::vector<const Body*> all;
  for (const Body& body : simulation.bodies) all.push_back(&body);
  double error = 0, size = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const int i = static_cast<int>(all.size()) * sample / samples;
    const Vector got = all[i]->acceleration, expected = reference(all, simulation.tree.root()->cube, *all[i]);
    verdict.near("acceleration of body", i, std::sqrt(square(got - expected)), 0, 1e-12 * std::sqrt(square(expected)));
    Vector exact{};
    for (const Body* body : all) exact = exact + attraction(all[i]->position, body->mass, body->position);
    error += square(got - exact);
    size += square(exact);
  }
  // A cell taken as one mass is off by its quadrupole: some (side / distance)^2 / 8 of its attraction.
  verdict.require(std::sqrt(error / size) <= kOpening * kOpening / 8, "error of %.4f against all pairs",
                  std::sqrt(error / size));
}

}  // namespace
}  // namespace barnes

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"BODIES", 80, 2048, 2, 1 << 20}, {"STEPS", 2, 3, 1, 1000}});
  barnes::Simulation simulation(command[0], command[1], command.threads());
  barnes::place_bodies(simulation.bodies);
  spmd::run_threads(command.threads(), barnes::barnes_worker, simulation);

  spmd::Verdict verdict;
  barnes::check(verdict, simulation, std::min(1 + command[0] / 16, 32));
  const barnes::Body& first = simulation.bodies[0];
  std::printf("barnes: %d bodies, first at %.12f %.12f %.12f\n", command[0], first.position.x, first.position.y,
              first.position.z);
  return verdict.conclude();
}
