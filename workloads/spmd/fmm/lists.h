// Which boxes a box has to do with, and how: the four lists of the adaptive fast multipole method. Of each pair of
// charges exactly one of them takes care.
#pragma once

#include "tree.h"

namespace fmm {

template <class Visit>
void for_each_child(const Box& box, Visit visit) {
  for (const std::atomic<Box*>& child : box.children) {
    Box* found = child.load(std::memory_order_relaxed);
    if (found != nullptr) visit(found);
  }
}

inline bool is_leaf(const Box& box) { return box.is_leaf.load(std::memory_order_relaxed); }

// What lies below a divided box next to a leaf: adjacent leaves, and the largest boxes that are not adjacent.
inline void find_smaller(Box& leaf, const Box& divided) {
  for_each_child(divided, [&leaf](Box* child) {
    if (!adjacent(leaf, *child))
      leaf.fine.push_back(child);
    else if (is_leaf(*child))
      leaf.near.push_back(child);
    else
      find_smaller(leaf, *child);
  });
}

// Needs `colleagues` and `larger` of the parent.
inline void find_lists(Box& box) {
  if (box.parent != nullptr) {
    const auto meet_leaf = [&box](Box* leaf) { (adjacent(box, *leaf) ? box.larger : box.coarse).push_back(leaf); };
    const auto meet_child = [&box](Box* child) {
      if (child != &box) (adjacent(box, *child) ? box.colleagues : box.far).push_back(child);
    };
    for (Box* leaf : box.parent->larger) meet_leaf(leaf);
    for (Box* colleague : box.parent->colleagues) {
      if (is_leaf(*colleague)) meet_leaf(colleague);
      for_each_child(*colleague, meet_child);
    }
    for_each_child(*box.parent, meet_child);
  }
  if (!is_leaf(box)) return;
  box.near = box.larger;
  box.near.push_back(&box);
  for (Box* colleague : box.colleagues) {
    if (is_leaf(*colleague))
      box.near.push_back(colleague);
    else
      find_smaller(box, *colleague);
  }
}

}  // namespace fmm
