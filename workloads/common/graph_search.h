// What the breadth-first searches share: the graphs that they search, as options ask for them, where they start, and
// the check of what they find.
#pragma once

#include <cstring>
#include <utility>

#include "check.h"

namespace workload {

// Level of a node that the search does not reach.
constexpr int kUnreached = -1;

constexpr char kGraphMagic[8] = {'W', 'F', 'G', 'R', 'A', 'P', 'H', '1'};  // a graph file begins with it

struct Node {
  int first_edge, degree;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<int> edges;  // of the first node, then of the second, and so on

  void begin_node() { nodes.push_back({static_cast<int>(edges.size()), 0}); }
  void add_edge(int target) {
    edges.push_back(target);
    ++nodes.back().degree;
  }
};

// A random graph: one to six edges a node, to anywhere.
inline Graph synthetic_graph(int node_count) {
  Random random(7);
  Graph graph;
  for (int node = 0; node < node_count; ++node) {
    graph.begin_node();
    for (unsigned i = 1 + random.below(6); i > 0; --i) graph.add_edge(static_cast<int>(random.below(node_count)));
  }
  return graph;
}

// Reads the numbers of a graph file, seven bits a byte, least significant first, the top bit set on all but the last.
class GraphFile {
 public:
  explicit GraphFile(const std::string& path)
      : path_(path), bytes_(read_file(path, "give --graph FILE, or --nodes N for a random graph")) {
    if (bytes_.size() < sizeof kGraphMagic || std::memcmp(bytes_.data(), kGraphMagic, sizeof kGraphMagic) != 0)
      fail("%s is not a graph file: it must begin with WFGRAPH1", path.c_str());
    next_ = sizeof kGraphMagic;
  }

  // A number below `bound`.
  int number(unsigned bound) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (next_ == bytes_.size()) fail("%s ends early: make it anew with make_graph.py", path_.c_str());
      const unsigned byte = bytes_[next_++];
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    if (value >= bound) fail("%s: number out of range before byte %zu", path_.c_str(), next_);
    return static_cast<int>(value);
  }

 private:
  std::string path_;
  std::vector<unsigned char> bytes_;
  std::size_t next_ = 0;
};

// The layout is that of bfs/make_graph.py: the number of nodes, then for each node its degree and its targets in rising
// order, each as the distance to the one before.
inline Graph read_graph(const std::string& path) {
  GraphFile file(path);
  const int node_count = file.number(1u << 26);
  Graph graph;
  graph.nodes.reserve(node_count);
  for (int node = 0; node < node_count; ++node) {
    graph.begin_node();
    int target = 0;
    for (int left = file.number(node_count); left > 0; --left)
      graph.add_edge(target += file.number(node_count - target));
  }
  return graph;
}

inline Graph reversed(const Graph& graph) {
  Graph result;
  result.nodes.resize(graph.nodes.size());
  result.edges.resize(graph.edges.size());
  for (const int target : graph.edges) ++result.nodes[target].degree;
  int edges = 0;
  for (Node& node : result.nodes) {
    node.first_edge = edges;
    edges += std::exchange(node.degree, 0);
  }
  for (std::size_t from = 0; from < graph.nodes.size(); ++from)
    for (int i = 0; i < graph.nodes[from].degree; ++i) {
      Node& node = result.nodes[graph.edges[graph.nodes[from].first_edge + i]];
      result.edges[node.first_edge + node.degree++] = static_cast<int>(from);
    }
  return result;
}

// Every node that no edge leads to; if there is none, the first.
inline std::vector<int> roots(const Graph& graph) {
  std::vector<bool> reached(graph.nodes.size(), false);
  for (const int target : graph.edges) reached[target] = true;
  std::vector<int> roots;
  for (std::size_t node = 0; node < reached.size(); ++node)
    if (!reached[node]) roots.push_back(static_cast<int>(node));
  if (roots.empty()) roots.push_back(0);
  return roots;
}

// Start nodes have level 0, all others are unreached.
inline std::vector<int> start_levels(const Graph& graph, const std::vector<int>& sources) {
  std::vector<int> level(graph.nodes.size(), kUnreached);
  for (const int source : sources) level[source] = 0;
  return level;
}

// The levels as a search with one queue finds them.
inline std::vector<int> reference(const Graph& graph, const std::vector<int>& sources) {
  std::vector<int> level = start_levels(graph, sources);
  std::vector<int> queue = sources;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Node node = graph.nodes[queue[head]];
    for (int i = node.first_edge; i < node.first_edge + node.degree; ++i) {
      int& found = level[graph.edges[i]];
      if (found != kUnreached) continue;
      found = level[queue[head]] + 1;
      queue.push_back(graph.edges[i]);
    }
  }
  return level;
}

// A graph in device memory.
struct DeviceGraph {
  explicit DeviceGraph(const Graph& graph) : nodes(graph.nodes), edges(graph.edges) {}
  DeviceArray<Node> nodes;
  DeviceArray<int> edges;
};

// The graph and the start nodes that a command line names.
class GraphOptions {
 public:
  void declare(Options& options) {
    options.number("--nodes", node_count_, 0, 10000000, "search a random graph of so many nodes; 0: search --graph")
        .text("--graph", file_, "graph file, see bfs/make_graph.py")
        .number("--source", source_, -1, 10000000, "start node; -1: every node that no edge leads to")
        .number("--reverse", reverse_, 0, 1, "1: walk every edge backwards");
  }

  Graph graph() const {
    Graph graph = node_count_ > 0 ? synthetic_graph(node_count_) : read_graph(file_);
    if (reverse_ != 0) graph = reversed(graph);
    if (graph.nodes.empty() || graph.edges.empty()) fail("the graph has no edges");
    if (source_ >= static_cast<int>(graph.nodes.size())) fail("--source: the graph has no node %d", source_);
    return graph;
  }

  // The given node, or every node that no edge leads to.
  std::vector<int> sources(const Graph& graph) const {
    return source_ >= 0 ? std::vector<int>(1, source_) : roots(graph);
  }

 private:
  int node_count_ = 0, source_ = -1, reverse_ = 0;
  std::string file_ = data_file("debian-bookworm.graph");
};

// Checks all levels and says how far the search went; the exit status of the program.
inline int conclude(const Graph& graph, const std::vector<int>& sources, const std::vector<int>& level) {
  expect_equal("levels", level, reference(graph, sources));
  int deepest = 0, reached = 0;
  for (const int value : level) {
    reached += value != kUnreached;
    if (value > deepest) deepest = value;
  }
  std::printf("%zu nodes, %zu edges, %zu sources: %d nodes reached in %d levels\n", graph.nodes.size(),
              graph.edges.size(), sources.size(), reached, deepest);
  return pass();
}

}  // namespace workload
