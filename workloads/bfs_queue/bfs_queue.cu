// Breadth-first search with queues: BFS of Parboil as Luo, Wong and Hwu describe it (DAC 2010), one thread per node of
// the frontier and one kernel a level.
//
// Every lane has a node of the frontier, other than in bfs; lanes part over the edges of their node and over who finds
// a neighbour first.
#include <utility>

#include "../common/graph_search.h"

namespace {

using workload::Graph;
using workload::kUnreached;
using workload::Node;

constexpr int kBlockThreads = 512;
constexpr int kBlockQueue = 2048;  // places; three blocks fit on a core of compute capability 2.0

// Every node of the frontier gives its unreached neighbours the next level. Exactly one thread finds a neighbour, so
// that each comes into the next frontier once. A block collects what it finds in its own queue, so that it needs one
// place in the frontier for all; what finds that queue full goes into the frontier directly.
__global__ void expand(const Node* nodes, const int* edges, const int* frontier, int frontier_size, int* level,
                       int next_level, int* next, int* next_size) {
  __shared__ int found[kBlockQueue];
  __shared__ int found_size, next_begin;
  if (threadIdx.x == 0) found_size = 0;
  __syncthreads();

  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self < frontier_size) {
    const Node node = nodes[frontier[self]];
    for (int i = node.first_edge; i < node.first_edge + node.degree; ++i) {
      const int neighbour = edges[i];
      if (atomicCAS(&level[neighbour], kUnreached, next_level) != kUnreached) continue;
      const int place = atomicAdd(&found_size, 1);
      if (place < kBlockQueue)
        found[place] = neighbour;
      else
        next[atomicAdd(next_size, 1)] = neighbour;
    }
  }
  __syncthreads();

  const int kept = min(found_size, kBlockQueue);
  if (threadIdx.x == 0) next_begin = atomicAdd(next_size, kept);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kept; i += kBlockThreads) next[next_begin + i] = found[i];
}

std::vector<int> search(const Graph& graph, const std::vector<int>& sources) {
  const workload::DeviceGraph device(graph);
  workload::DeviceArray<int> level(workload::start_levels(graph, sources)), next_size(1);
  const workload::DeviceArray<int> first(graph.nodes.size()), second(graph.nodes.size());
  int *frontier = first.get(), *next = second.get();
  int size = static_cast<int>(sources.size());
  CUDA_CHECK(cudaMemcpy(frontier, sources.data(), sources.size() * sizeof(int), cudaMemcpyHostToDevice));
  for (int next_level = 1; size > 0; ++next_level) {
    next_size.upload({0});
    expand<<<(size + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(
        device.nodes.get(), device.edges.get(), frontier, size, level.get(), next_level, next, next_size.get());
    CUDA_CHECK(cudaGetLastError());
    size = next_size.download()[0];
    std::swap(frontier, next);
  }
  return level.download();
}

}  // namespace

int main(int argc, char** argv) {
  workload::GraphOptions input;
  workload::Options options("bfs_queue",
                            "distance of every node of a graph from the sources, by queues, checked exactly");
  input.declare(options);
  options.parse(argc, argv);

  const Graph graph = input.graph();
  const std::vector<int> sources = input.sources(graph);
  return workload::conclude(graph, sources, search(graph, sources));
}
