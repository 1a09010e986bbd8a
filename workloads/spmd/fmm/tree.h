// The quadtree of the adaptive fast multipole method (Carrier, Greengard and Rokhlin 1988), built by all threads at
// once. A box is divided when more than kMostCharges are in it, so that its shape does not depend on their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "common/threads.h"
#include "expansion.h"

namespace fmm {

constexpr std::size_t kMostCharges = 10;

struct Charge {
  Complex place;  // in the unit square
  double charge;
  Complex field;  // of all other charges
};

struct Box {
  Complex centre;  // exact, as is `half`: sums of powers of two
  double half;     // of its side
  std::size_t level;
  Box* parent;
  spmd::Lock* lock;  // held by who changes the next three
  std::atomic<bool> is_leaf;
  std::atomic<Box*> children[4];  // null where there are no charges
  std::vector<int> charges;       // of a leaf

  int cost;                      // with its children's
  std::vector<Box*> colleagues;  // adjacent boxes of the same level
  std::vector<Box*> near;        // leaf's: itself and all adjacent leaves (list 1)
  std::vector<Box*> far;         // children of the parent's colleagues, not adjacent (list 2)
  std::vector<Box*> fine;        // leaf's: smaller boxes, not adjacent, whose parents are (list 3)
  std::vector<Box*> coarse;      // larger leaves that have this one in `fine` (list 4)
  std::vector<Box*> larger;      // larger leaves that are adjacent
  Series multipole, local;

  int quarter_of(Complex place) const { return (place.re >= centre.re ? 1 : 0) + (place.im >= centre.im ? 2 : 0); }
};

inline bool adjacent(const Box& one, const Box& other) {
  const double reach = one.half + other.half;
  return std::fabs(one.centre.re - other.centre.re) <= reach && std::fabs(one.centre.im - other.centre.im) <= reach;
}

// Boxes by level.
using Levels = std::vector<std::vector<Box*>>;

inline void add_to_level(Levels& levels, Box* box) {
  if (levels.size() <= box->level) levels.resize(box->level + 1);
  levels[box->level].push_back(box);
}

class Tree {
 public:
  explicit Tree(int threads) : boxes_(threads), made_(threads), locks_(kLocks) {
    root_ = make_box({0.5, 0.5}, 0.5, nullptr, 0);
  }

  Box& root() const { return *root_; }

  // The boxes that a thread made.
  const Levels& made_by(int thread) const { return made_[thread]; }

  std::size_t levels() const {
    std::size_t levels = 0;
    for (const Levels& of_thread : made_) levels = std::max(levels, of_thread.size());
    return levels;
  }

  // Goes down to a leaf without locks. A leaf that is full is divided first.
  void insert(const std::vector<Charge>& charges, int index, int thread) {
    Box* box = root_;
    while (true) {
      if (box->is_leaf.load(std::memory_order_acquire) && insert_into_leaf(charges, *box, index, thread)) return;
      box = child_for(charges[index].place, *box, thread);
    }
  }

 private:
  static constexpr std::size_t kLocks = 512;  // shared by many boxes

  // False if the box is no longer a leaf.
  bool insert_into_leaf(const std::vector<Charge>& charges, Box& box, int index, int thread) {
    box.lock->acquire();
    const bool is_leaf = box.is_leaf.load(std::memory_order_relaxed);
    const bool has_room = box.charges.size() < kMostCharges;
    if (is_leaf && has_room) box.charges.push_back(index);
    if (is_leaf && !has_room) divide(charges, box, thread);
    box.lock->release();
    return is_leaf && has_room;
  }

  // With the box's lock held.
  void divide(const std::vector<Charge>& charges, Box& box, int thread) {
    for (int index : box.charges) {
      std::atomic<Box*>& child = box.children[box.quarter_of(charges[index].place)];
      if (child.load(std::memory_order_relaxed) == nullptr)
        child.store(make_child(box, box.quarter_of(charges[index].place), thread), std::memory_order_release);
      child.load(std::memory_order_relaxed)->charges.push_back(index);
    }
    box.charges.clear();
    box.is_leaf.store(false, std::memory_order_release);
  }

  Box* child_for(Complex place, Box& box, int thread) {
    std::atomic<Box*>& child = box.children[box.quarter_of(place)];
    if (child.load(std::memory_order_acquire) == nullptr) {
      box.lock->acquire();
      if (child.load(std::memory_order_relaxed) == nullptr)
        child.store(make_child(box, box.quarter_of(place), thread), std::memory_order_release);
      box.lock->release();
    }
    return child.load(std::memory_order_acquire);
  }

  Box* make_child(Box& parent, int quarter, int thread) {
    const double half = parent.half / 2;
    const Complex aside = {quarter & 1 ? half : -half, quarter & 2 ? half : -half};
    return make_box(parent.centre + aside, half, &parent, thread);
  }

  Box* make_box(Complex centre, double half, Box* parent, int thread) {
    Box& box = boxes_[thread].emplace_back();
    box.centre = centre;
    box.half = half;
    box.level = parent == nullptr ? 0 : parent->level + 1;
    box.parent = parent;
    box.lock = &locks_[(boxes_[thread].size() * boxes_.size() + thread) % kLocks];
    box.is_leaf.store(true, std::memory_order_relaxed);
    add_to_level(made_[thread], &box);
    return &box;
  }

  std::vector<std::deque<Box>> boxes_;  // of each thread; their addresses stay
  std::vector<Levels> made_;
  std::vector<spmd::Lock> locks_;
  Box* root_;
};

}  // namespace fmm
