// Breadth-first search by levels: BFS of Rodinia as the papers describe it, one thread per node and two kernels a
// level.
//
// The frontier test leaves few lanes of a warp, and those loop over as many edges as their node happens to have.
#include <cstring>
#include <utility>

#include "../common/check.h"

namespace {

constexpr int kBlockThreads = 512;
constexpr int kUnreached = -1;
constexpr char kMagic[8] = {'W', 'F', 'G', 'R', 'A', 'P', 'H', '1'};

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

// Every node of the frontier offers its unvisited neighbours the next level. Two threads may write one neighbour:
// they write the same value.
__global__ void expand(const Node* nodes, const int* edges, bool* frontier, bool* updated, const bool* visited,
                       int* level, int node_count) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self < node_count && frontier[self]) {
    frontier[self] = false;
    const Node node = nodes[self];
    for (int i = node.first_edge; i < node.first_edge + node.degree; ++i) {
      const int neighbour = edges[i];
      if (!visited[neighbour]) {
        level[neighbour] = level[self] + 1;
        updated[neighbour] = true;
      }
    }
  }
}

// The same in both directions, for graphs with hubs: nodes of up to `hub_degree` edges push as in `expand`; what is
// not yet visited looks itself for a hub of the frontier among the nodes with an edge to it. So no lane walks the edges
// of a hub, and the two kinds of node do different work side by side.
__global__ void expand_both_ways(const Node* nodes, const int* edges, const Node* back_nodes, const int* back_edges,
                                 const bool* frontier, bool* updated, const bool* visited, int* level, int node_count,
                                 int current_level, int hub_degree) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= node_count) return;
  if (frontier[self]) {
    const Node node = nodes[self];
    if (node.degree > hub_degree) return;
    for (int i = node.first_edge; i < node.first_edge + node.degree; ++i) {
      const int neighbour = edges[i];
      if (!visited[neighbour]) {
        level[neighbour] = current_level + 1;
        updated[neighbour] = true;
      }
    }
  } else if (!visited[self]) {
    const Node node = back_nodes[self];
    for (int i = node.first_edge; i < node.first_edge + node.degree; ++i) {
      const int source = back_edges[i];
      if (frontier[source] && nodes[source].degree > hub_degree) {
        level[self] = current_level + 1;
        updated[self] = true;
        break;
      }
    }
  }
}

// What was updated becomes the next frontier.
__global__ void advance(bool* frontier, bool* updated, bool* visited, bool* again, int node_count) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self < node_count && updated[self]) {
    frontier[self] = true;
    visited[self] = true;
    *again = true;
    updated[self] = false;
  }
}

// The same after expand_both_ways, which cannot clear the old frontier: others still read it.
__global__ void replace_frontier(bool* frontier, bool* updated, bool* visited, bool* again, int node_count) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= node_count) return;
  const bool entering = updated[self];
  frontier[self] = entering;
  if (entering) {
    visited[self] = true;
    *again = true;
    updated[self] = false;
  }
}

// A random graph: one to six edges a node, to anywhere.
Graph synthetic_graph(int node_count) {
  workload::Random random(7);
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
      : path_(path), bytes_(workload::read_file(path, "give --graph FILE, or --nodes N for a random graph")) {
    if (bytes_.size() < sizeof kMagic || std::memcmp(bytes_.data(), kMagic, sizeof kMagic) != 0)
      workload::fail("%s is not a graph file: it must begin with WFGRAPH1", path.c_str());
    next_ = sizeof kMagic;
  }

  // A number below `bound`.
  int number(unsigned bound) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (next_ == bytes_.size()) workload::fail("%s ends early: make it anew with make_graph.py", path_.c_str());
      const unsigned byte = bytes_[next_++];
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    if (value >= bound) workload::fail("%s: number out of range before byte %zu", path_.c_str(), next_);
    return static_cast<int>(value);
  }

 private:
  std::string path_;
  std::vector<unsigned char> bytes_;
  std::size_t next_ = 0;
};

// The layout is that of make_graph.py: the number of nodes, then for each node its degree and its targets in rising
// order, each as the distance to the one before.
Graph read_graph(const std::string& path) {
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

Graph reversed(const Graph& graph) {
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

// The given node, or every node that no edge leads to.
std::vector<int> sources(const Graph& graph, int source) {
  if (source >= 0) return {source};
  std::vector<bool> reached(graph.nodes.size(), false);
  for (const int target : graph.edges) reached[target] = true;
  std::vector<int> roots;
  for (std::size_t node = 0; node < reached.size(); ++node)
    if (!reached[node]) roots.push_back(static_cast<int>(node));
  if (roots.empty()) roots.push_back(0);
  return roots;
}

std::vector<int> reference(const Graph& graph, const std::vector<int>& roots) {
  std::vector<int> level(graph.nodes.size(), kUnreached);
  std::vector<int> queue = roots;
  for (const int root : roots) level[root] = 0;
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

// Boolean arrays as bytes: std::vector<bool> has no contiguous storage to copy.
std::vector<unsigned char> marks(std::size_t node_count, const std::vector<int>& roots) {
  std::vector<unsigned char> result(node_count, 0);
  for (const int root : roots) result[root] = 1;
  return result;
}

// A graph in device memory.
struct DeviceGraph {
  explicit DeviceGraph(const Graph& graph) : nodes(graph.nodes), edges(graph.edges) {}
  workload::DeviceArray<Node> nodes;
  workload::DeviceArray<int> edges;
};

// The state of a search in device memory.
struct Search {
  Search(int count, const std::vector<int>& roots)
      : node_count(count),
        frontier(marks(count, roots)),
        visited(marks(count, roots)),
        updated(marks(count, {})),
        again(1),
        level(start_levels(count, roots)) {}

  static std::vector<int> start_levels(int count, const std::vector<int>& roots) {
    std::vector<int> levels(count, kUnreached);
    for (const int root : roots) levels[root] = 0;
    return levels;
  }

  int node_count;
  workload::DeviceArray<unsigned char> frontier, visited, updated, again;
  workload::DeviceArray<int> level;
};

bool* flags(const workload::DeviceArray<unsigned char>& array) { return reinterpret_cast<bool*>(array.get()); }

std::vector<int> search(const Graph& graph, const std::vector<int>& roots) {
  const DeviceGraph device(graph);
  Search now(static_cast<int>(graph.nodes.size()), roots);
  const int blocks = (now.node_count + kBlockThreads - 1) / kBlockThreads;
  do {
    now.again.upload({0});
    expand<<<blocks, kBlockThreads>>>(device.nodes.get(), device.edges.get(), flags(now.frontier), flags(now.updated),
                                      flags(now.visited), now.level.get(), now.node_count);
    advance<<<blocks, kBlockThreads>>>(flags(now.frontier), flags(now.updated), flags(now.visited), flags(now.again),
                                       now.node_count);
    CUDA_CHECK(cudaGetLastError());
  } while (now.again.download()[0] != 0);
  return now.level.download();
}

std::vector<int> search_both_ways(const Graph& graph, const std::vector<int>& roots, int hub_degree) {
  const DeviceGraph device(graph), back(reversed(graph));
  Search now(static_cast<int>(graph.nodes.size()), roots);
  const int blocks = (now.node_count + kBlockThreads - 1) / kBlockThreads;
  int current_level = 0;
  do {
    now.again.upload({0});
    expand_both_ways<<<blocks, kBlockThreads>>>(
        device.nodes.get(), device.edges.get(), back.nodes.get(), back.edges.get(), flags(now.frontier),
        flags(now.updated), flags(now.visited), now.level.get(), now.node_count, current_level, hub_degree);
    replace_frontier<<<blocks, kBlockThreads>>>(flags(now.frontier), flags(now.updated), flags(now.visited),
                                                flags(now.again), now.node_count);
    CUDA_CHECK(cudaGetLastError());
    ++current_level;
  } while (now.again.download()[0] != 0);
  return now.level.download();
}

}  // namespace

int main(int argc, char** argv) {
  int node_count = 0, source = -1, reverse = 0, hub_degree = 0;
  std::string file = workload::data_file("debian-bookworm.graph");
  workload::Options("bfs", "distance of every node of a graph from the sources, checked exactly")
      .number("--nodes", node_count, 0, 10000000, "search a random graph of so many nodes; 0: search --graph")
      .text("--graph", file, "graph file, see make_graph.py")
      .number("--source", source, -1, 10000000, "start node; -1: every node that no edge leads to")
      .number("--reverse", reverse, 0, 1, "1: walk every edge backwards")
      .number("--hubs", hub_degree, 0, 10000000, "let nodes of more edges than this be found, not push; 0: all push")
      .parse(argc, argv);

  Graph graph = node_count > 0 ? synthetic_graph(node_count) : read_graph(file);
  if (reverse != 0) graph = reversed(graph);
  if (graph.nodes.empty() || graph.edges.empty()) workload::fail("the graph has no edges");
  if (source >= static_cast<int>(graph.nodes.size())) workload::fail("--source: the graph has no node %d", source);

  const std::vector<int> roots = sources(graph, source);
  const std::vector<int> level = hub_degree > 0 ? search_both_ways(graph, roots, hub_degree) : search(graph, roots);
  workload::expect_equal("levels", level, reference(graph, roots));

  int deepest = 0, reached = 0;
  for (const int value : level) {
    reached += value != kUnreached;
    if (value > deepest) deepest = value;
  }
  std::printf("%zu nodes, %zu edges, %zu sources: %d nodes reached in %d levels\n", graph.nodes.size(),
              graph.edges.size(), roots.size(), reached, deepest);
  return workload::pass();
}
