// The octree of Barnes and Hut (1986), built by all threads at once. A leaf is one body, so that the tree's shape does
// not depend on the order in which bodies arrive.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

#include "common/threads.h"
#include "vector.h"

namespace barnes {

// What bodies and cells have in common, for the walk that computes forces.
struct Node {
  bool is_cell;
  double mass;
  Vector position;  // of a cell: its centre of mass
  int cost;         // interactions in the last step; of a cell: of all bodies in it
};

struct Body : Node {
  Vector velocity, acceleration;
};

struct Cube {
  Vector centre;
  double half;  // of its side

  int octant_of(Vector point) const {
    return (point.x >= centre.x ? 1 : 0) + (point.y >= centre.y ? 2 : 0) + (point.z >= centre.z ? 4 : 0);
  }

  Cube octant(int number) const {
    const double quarter = half / 2;
    const Vector aside = {number & 1 ? quarter : -quarter, number & 2 ? quarter : -quarter,
                          number & 4 ? quarter : -quarter};
    return {centre + aside, quarter};
  }
};

struct Cell : Node {
  Cube cube;
  std::size_t level;  // of the root: 0
  spmd::Lock* lock;   // held by who changes a child
  std::atomic<Node*> children[8];
};

// The cells that one thread has made, level by level. They stay in memory for the next tree.
class CellPool {
 public:
  void clear() {
    used_ = 0;
    for (std::vector<Cell*>& cells : levels_) cells.clear();
  }

  Cell* make(const Cube& cube, std::size_t level, spmd::Lock* lock) {
    if (used_ == cells_.size()) cells_.emplace_back();
    Cell& cell = cells_[used_++];
    cell.is_cell = true;
    cell.cube = cube;
    cell.level = level;
    cell.lock = lock;
    for (std::atomic<Node*>& child : cell.children) child.store(nullptr, std::memory_order_relaxed);
    if (levels_.size() <= level) levels_.resize(level + 1);
    levels_[level].push_back(&cell);
    return &cell;
  }

  std::size_t levels() const { return levels_.size(); }
  std::size_t used() const { return used_; }
  const std::vector<Cell*>& level(std::size_t level) const { return levels_[level]; }

 private:
  std::deque<Cell> cells_;  // whose addresses stay
  std::size_t used_ = 0;
  std::vector<std::vector<Cell*>> levels_;
};

class Tree {
 public:
  explicit Tree(int threads) : pools_(threads), locks_(kLocks) {}

  Cell* root() const { return root_; }
  CellPool& pool(int thread) { return pools_[thread]; }

  // By one thread, before all insert().
  void start(const Cube& cube) { root_ = pools_[0].make(cube, 0, &locks_[0]); }

  // Goes down without a lock until the child is no cell, then takes the cell's lock and looks again. Two bodies must
  // not be at the same place.
  void insert(Body& body, int thread) {
    Cell* cell = root_;
    while (true) {
      std::atomic<Node*>& child = cell->children[cell->cube.octant_of(body.position)];
      Node* found = child.load(std::memory_order_acquire);
      if (found == nullptr || !found->is_cell) {
        cell->lock->acquire();
        found = child.load(std::memory_order_relaxed);
        if (found == nullptr)
          child.store(&body, std::memory_order_release);
        else if (!found->is_cell)
          child.store(found = split(*cell, found, thread), std::memory_order_release);
        cell->lock->release();
        if (found == nullptr) return;
      }
      cell = static_cast<Cell*>(found);
    }
  }

 private:
  static constexpr std::size_t kLocks = 512;  // shared by many cells

  // A new cell in the place of a body, with that body in it.
  Cell* split(const Cell& cell, Node* body, int thread) {
    CellPool& pool = pools_[thread];
    const Cube cube = cell.cube.octant(cell.cube.octant_of(body->position));
    Cell* lower = pool.make(cube, cell.level + 1, &locks_[(pool.used() * pools_.size() + thread) % kLocks]);
    lower->children[cube.octant_of(body->position)].store(body, std::memory_order_relaxed);
    return lower;
  }

  std::deque<CellPool> pools_;
  std::vector<spmd::Lock> locks_;
  Cell* root_ = nullptr;
};

// Mass, centre of mass and cost of a cell from its children's.
inline void sum_children(Cell& cell) {
  cell.mass = 0;
  cell.cost = 0;
  Vector moment{};
  for (const std::atomic<Node*>& child : cell.children) {
    const Node* node = child.load(std::memory_order_relaxed);
    if (node == nullptr) continue;
    cell.mass += node->mass;
    cell.cost += node->cost;
    moment = moment + node->mass * node->position;
  }
  cell.position = (1 / cell.mass) * moment;
}

}  // namespace barnes
