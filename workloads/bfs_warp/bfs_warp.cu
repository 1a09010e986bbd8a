// Breadth-first search with virtual warps: BWC of the spatio-temporal SIMT paper's Table II, after Hong, Kim, Oguntebi
// and Olukotun 2011 ("Accelerating CUDA graph algorithms at maximum warp"). One kernel a level.
//
// The lanes of a virtual warp look at the same nodes, one after the other, and share the edges of those that are in the
// frontier: a node of many edges keeps no lane waiting, a node of few leaves lanes idle.
#include "../common/graph_search.h"

namespace {

using workload::Graph;
using workload::kUnreached;
using workload::Node;

constexpr int kBlockThreads = 128;
constexpr int kBlockNodes = 1024;  // 256 for each warp of 32

// Nodes of level `current` give their unreached neighbours the next one. `before` holds the levels before the launch:
// what the threads read none of them writes, and two that write one neighbour write the same value.
__global__ void expand(const Node* nodes, const int* edges, const int* before, int* levels, bool* again, int node_count,
                       int current, int width) {
  __shared__ int own_levels[kBlockNodes];
  const int begin = static_cast<int>(blockIdx.x) * kBlockNodes, thread = static_cast<int>(threadIdx.x);
  const int count = min(kBlockNodes, node_count - begin);
  for (int i = thread; i < count; i += kBlockThreads) own_levels[i] = before[begin + i];
  __syncthreads();

  const int share = kBlockNodes / kBlockThreads * width, lane = thread % width;
  const int first = thread / width * share, last = min(first + share, count);
  for (int i = first; i < last; ++i) {
    if (own_levels[i] != current) continue;
    const Node node = nodes[begin + i];
    for (int edge = lane; edge < node.degree; edge += width) {
      const int neighbour = edges[node.first_edge + edge];
      if (before[neighbour] == kUnreached) {
        levels[neighbour] = current + 1;
        *again = true;
      }
    }
  }
}

std::vector<int> search(const Graph& graph, const std::vector<int>& sources, int width) {
  const int node_count = static_cast<int>(graph.nodes.size());
  const workload::DeviceGraph device(graph);
  const workload::DeviceArray<int> before(graph.nodes.size()), levels(workload::start_levels(graph, sources));
  workload::DeviceArray<unsigned char> again(1);
  const int blocks = (node_count + kBlockNodes - 1) / kBlockNodes;
  int current = 0;
  do {
    again.upload({0});
    CUDA_CHECK(cudaMemcpy(before.get(), levels.get(), graph.nodes.size() * sizeof(int), cudaMemcpyDeviceToDevice));
    expand<<<blocks, kBlockThreads>>>(device.nodes.get(), device.edges.get(), before.get(), levels.get(),
                                      reinterpret_cast<bool*>(again.get()), node_count, current++, width);
    CUDA_CHECK(cudaGetLastError());
  } while (again.download()[0] != 0);
  return levels.download();
}

}  // namespace

int main(int argc, char** argv) {
  int width = 32;
  workload::GraphOptions input;
  workload::Options options("bfs_warp", "breadth-first search with virtual warps, checked exactly");
  input.declare(options);
  options.number("--width", width, 1, 32, "lanes of a virtual warp, a power of two").parse(argc, argv);
  if ((width & (width - 1)) != 0) workload::fail("--width %d: not a power of two", width);

  const Graph graph = input.graph();
  const std::vector<int> sources = input.sources(graph);
  return workload::conclude(graph, sources, search(graph, sources, width));
}
