// Breadth-first search by levels after Rodinia's bfs (Che et al. 2009), on a random graph as Rodinia's generator makes
// them. Every level takes two loops over all nodes: nodes of the frontier give a distance to their unvisited
// neighbours, then those become the next frontier.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <queue>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr int kUnreached = -1;

struct Node {
  int first_edge, edges;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<int> edges;  // targets
};

// One to ten edges a node, to anywhere.
Graph make_graph(int nodes) {
  spmd::Random random(5);
  Graph graph;
  for (int node = 0; node < nodes; ++node) {
    const int degree = 1 + static_cast<int>(random.below(10));
    graph.nodes.push_back({static_cast<int>(graph.edges.size()), degree});
    for (int i = 0; i < degree; ++i) graph.edges.push_back(static_cast<int>(random.below(nodes)));
  }
  return graph;
}

// Several threads may write the same value to the same place at once. Relaxed atomic writes are plain instructions.
template <class Value>
void write_shared(Value& place, Value value) {
  std::atomic_ref<Value>(place).store(value, std::memory_order_relaxed);
}

extern "C" [[gnu::noinline]] void bfs_worker(const Graph& graph, std::vector<int>& distances) {
  const int nodes = static_cast<int>(graph.nodes.size());
  std::vector<char> frontier(nodes), updated(nodes), visited(nodes);
  frontier[0] = visited[0] = true;
  distances[0] = 0;
  char again = true;
  while (again) {
    again = false;
#pragma omp parallel for schedule(static)
    for (int node = 0; node < nodes; ++node) {
      if (!frontier[node]) continue;
      frontier[node] = false;
      const Node& self = graph.nodes[node];
      for (int edge = self.first_edge; edge < self.first_edge + self.edges; ++edge) {
        const int neighbour = graph.edges[edge];
        if (visited[neighbour]) continue;
        write_shared(distances[neighbour], distances[node] + 1);
        write_shared<char>(updated[neighbour], true);
      }
    }
#pragma omp parallel for schedule(static)
    for (int node = 0; node < nodes; ++node) {
      if (!updated[node]) continue;
      frontier[node] = visited[node] = true;
      updated[node] = false;
      write_shared<char>(again, true);
    }
  }
}

std::vector<int> reference(const Graph& graph) {
  std::vector<int> distances(graph.nodes.size(), kUnreached);
  std::queue<int> waiting;
  distances[0] = 0;
  for (waiting.push(0); !waiting.empty(); waiting.pop()) {
    const Node& self = graph.nodes[waiting.front()];
    for (int edge = self.first_edge; edge < self.first_edge + self.edges; ++edge) {
      int& distance = distances[graph.edges[edge]];
      if (distance != kUnreached) continue;
      distance = distances[waiting.front()] + 1;
      waiting.push(graph.edges[edge]);
    }
  }
  return distances;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"NODES", 2048, 1 << 18, 1, 1 << 24}});
  omp_set_num_threads(command.threads());
  const Graph graph = make_graph(command[0]);
  std::vector<int> distances(graph.nodes.size(), kUnreached);
  bfs_worker(graph, distances);

  const std::vector<int> expected = reference(graph);
  spmd::Verdict verdict;
  for (int i = 0; i < command[0]; ++i)
    verdict.require(distances[i] == expected[i], "node %d: got %d, expected %d", i, distances[i], expected[i]);
  std::printf("bfs: %d nodes, %zu edges, greatest distance %d\n", command[0], graph.edges.size(),
              *std::max_element(distances.begin(), distances.end()));
  return verdict.conclude();
}
