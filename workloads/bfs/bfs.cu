// Breadth-first search by levels: BFS of Rodinia as the papers describe it, one thread per node and two kernels a
// level.
//
// The frontier test leaves few lanes of a warp, and those loop over as many edges as their node happens to have.
#include "../common/graph_search.h"

namespace {

using workload::DeviceGraph;
using workload::Graph;
using workload::Node;

constexpr int kBlockThreads = 512;

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

// Boolean arrays as bytes: std::vector<bool> has no contiguous storage to copy.
std::vector<unsigned char> marks(std::size_t node_count, const std::vector<int>& roots) {
  std::vector<unsigned char> result(node_count, 0);
  for (const int root : roots) result[root] = 1;
  return result;
}

// The state of a search in device memory.
struct Search {
  Search(const Graph& graph, const std::vector<int>& roots)
      : node_count(static_cast<int>(graph.nodes.size())),
        frontier(marks(node_count, roots)),
        visited(marks(node_count, roots)),
        updated(marks(node_count, {})),
        again(1),
        level(workload::start_levels(graph, roots)) {}

  int node_count;
  workload::DeviceArray<unsigned char> frontier, visited, updated, again;
  workload::DeviceArray<int> level;
};

bool* flags(const workload::DeviceArray<unsigned char>& array) { return reinterpret_cast<bool*>(array.get()); }

std::vector<int> search(const Graph& graph, const std::vector<int>& roots) {
  const DeviceGraph device(graph);
  Search now(graph, roots);
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
  Search now(graph, roots);
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
  int hub_degree = 0;
  workload::GraphOptions input;
  workload::Options options("bfs", "distance of every node of a graph from the sources, checked exactly");
  input.declare(options);
  options.number("--hubs", hub_degree, 0, 10000000, "let nodes of more edges than this be found, not push; 0: all push")
      .parse(argc, argv);

  const Graph graph = input.graph();
  const std::vector<int> roots = input.sources(graph);
  return workload::conclude(graph, roots,
                            hub_degree > 0 ? search_both_ways(graph, roots, hub_degree) : search(graph, roots));
}
