// Suffix tree of a DNA sequence, built by Ukkonen's algorithm (1995) in the form that the matching kernels walk.
#pragma once

#include <string>
#include <vector>

constexpr int kChildren = 5;  // one per letter A, C, G, T, and one for the end of the text

// Which child a letter leads to.
inline int child_number(char letter) {
  switch (letter) {
    case 'A':
      return 0;
    case 'C':
      return 1;
    case 'G':
      return 2;
    case 'T':
      return 3;
    default:
      return 4;
  }
}

// Node 0 is the root, so 0 as a child means "none".
struct TreeNode {
  int child[kChildren];
  int start;  // where the label of the edge into this node begins in the reference
  int depth;  // letters from the root to this node
  int parent;
  int link;  // the node of the same path without its first letter; 0 for leaves and the root
  int leaf;  // 1 when a suffix of the reference ends here
};

class SuffixTree {
 public:
  // `text` holds the letters A, C, G and T, and ends with a letter of no other kind. It must outlive the tree.
  explicit SuffixTree(const std::string& text) : text_(text) {
    add_node(0, 0);
    for (std::size_t i = 0; i < text.size(); ++i) extend(static_cast<int>(i));
    set_depths();
  }

  const std::vector<TreeNode>& nodes() const { return nodes_; }

 private:
  static constexpr int kOpen = 1 << 30;  // end of a leaf's edge, which grows with the text

  int add_node(int start, int end) {
    nodes_.push_back({{0, 0, 0, 0, 0}, start, 0, 0, 0, end == kOpen});
    ends_.push_back(end);
    return static_cast<int>(nodes_.size()) - 1;
  }

  // The child of a node that the letter at a position of the text leads to.
  int& child(int node, int position) { return nodes_[node].child[child_number(text_[position])]; }

  int edge_length(int node, int position) const {
    const int end = ends_[node] < position + 1 ? ends_[node] : position + 1;
    return end - nodes_[node].start;
  }

  // Gives the inner node made before in this phase its suffix link.
  void link_to(int node) {
    if (unlinked_ != 0) nodes_[unlinked_].link = node;
    unlinked_ = node;
  }

  // One phase: makes the tree hold every suffix of text[0 .. position].
  void extend(int position) {
    unlinked_ = 0;
    ++pending_;
    while (pending_ > 0) {
      if (active_length_ == 0) active_edge_ = position;
      const int next = child(active_node_, active_edge_);
      if (next == 0) {
        const int leaf = add_node(position, kOpen);
        child(active_node_, active_edge_) = leaf;
        link_to(active_node_);
      } else {
        const int length = edge_length(next, position);
        if (active_length_ >= length) {  // walk down
          active_edge_ += length;
          active_length_ -= length;
          active_node_ = next;
          continue;
        }
        if (text_[nodes_[next].start + active_length_] == text_[position]) {
          ++active_length_;
          link_to(active_node_);
          return;
        }
        link_to(split(next, position));
      }
      --pending_;
      move_to_shorter_suffix(position);
    }
  }

  // Puts an inner node active_length_ letters down the edge into `lower`, with a new leaf; returns the inner node.
  int split(int lower, int position) {
    const int start = nodes_[lower].start;
    const int inner = add_node(start, start + active_length_);
    const int leaf = add_node(position, kOpen);
    child(active_node_, active_edge_) = inner;
    child(inner, position) = leaf;
    nodes_[lower].start += active_length_;
    child(inner, nodes_[lower].start) = lower;
    return inner;
  }

  void move_to_shorter_suffix(int position) {
    if (active_node_ == 0 && active_length_ > 0) {
      --active_length_;
      active_edge_ = position - pending_ + 1;
    } else {
      active_node_ = nodes_[active_node_].link;
    }
  }

  // Fills in depth and parent from the root down.
  void set_depths() {
    std::vector<int> stack = {0};
    while (!stack.empty()) {
      const int node = stack.back();
      stack.pop_back();
      for (const int child : nodes_[node].child) {
        if (child == 0) continue;
        nodes_[child].parent = node;
        nodes_[child].depth = nodes_[node].depth + edge_length(child, static_cast<int>(text_.size()) - 1);
        stack.push_back(child);
      }
    }
  }

  const std::string& text_;
  std::vector<TreeNode> nodes_;
  std::vector<int> ends_;
  int active_node_ = 0, active_edge_ = 0, active_length_ = 0;
  int pending_ = 0;   // suffixes that are still only implicit
  int unlinked_ = 0;  // inner node of this phase that waits for its suffix link
};
