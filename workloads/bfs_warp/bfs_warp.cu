// Breadth-first search with virtual warps: BWC of the spatio-temporal SIMT paper's Table II, after Hong, Kim, Oguntebi
// and Olukotun 2011 ("Accelerating CUDA graph algorithms at maximum warp"). One kernel a level. What a virtual warp
// copies into shared memory, its fences, and that levels are read and written in one array are theirs.
//
// The lanes of a virtual warp look at the same nodes, one after the other, and share the edges of those that are in the
// frontier: a node of many edges keeps no lane waiting, a node of few leaves lanes idle.
#include "../common/graph_search.h"

namespace {

using workload::Graph;
using workload::kUnreached;

constexpr int kBlockThreads = 128;
constexpr int kBlockNodes = 1024;  // 256 for each warp of 32
constexpr int kWidest = 32;        // virtual warp

struct Search {
  const int* offsets;  // of a node: its first edge; one more ends the last node's edges
  const int* edges;
  int* levels;
  bool* again;
  int node_count;
};

// What a virtual warp knows of the nodes that are its own.
template <int kWidth>
struct Share {
  static constexpr int kNodes = kBlockNodes / kBlockThreads * kWidth;
  int levels[kNodes];
  int offsets[kNodes + 1];
};

template <int kWidth>
__device__ inline void copy(int lane, int count, const int* from, int* to) {
#pragma unroll 1
  for (int i = lane; i < count; i += kWidth) to[i] = from[i];
  __threadfence_block();
}

template <int kWidth>
__device__ inline void reach_neighbours(const Search& search, int lane, int first_edge, int degree, int level) {
  const int* const edges = search.edges + first_edge;
  for (int edge = lane; edge < degree; edge += kWidth) {
    const int neighbour = edges[edge];
    if (search.levels[neighbour] == kUnreached) {
      search.levels[neighbour] = level;
      *search.again = true;
    }
  }
  __threadfence_block();
}

// Nodes of level `current` give their unreached neighbours the next one. A virtual warp may read the level of a node
// before or after another one writes it. Nothing but the next level is written, and only where none was: whether a node
// is in the frontier does not depend on it, nor does any level in the end.
template <int kWidth>
__device__ inline void expand_share(const Search& search, int current) {
  __shared__ Share<kWidth> shares[kBlockThreads / kWidth];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWidth;
  Share<kWidth>& own = shares[thread / kWidth];
  const int warp = (static_cast<int>(blockIdx.x) * kBlockThreads + thread) / kWidth;
  const int begin = min(warp * own.kNodes, search.node_count), count = min(own.kNodes, search.node_count - begin);
  copy<kWidth>(lane, count, search.levels + begin, own.levels);
  copy<kWidth>(lane, count + 1, search.offsets + begin, own.offsets);
  __syncthreads();  // the original has none: there the lanes of a virtual warp run in step

  for (int i = 0; i < count; ++i) {
    if (own.levels[i] != current) continue;
    const int* const offset = own.offsets + i;
    reach_neighbours<kWidth>(search, lane, offset[0], offset[1] - offset[0], current + 1);
  }
}

__global__ void expand(Search search, int current) { expand_share<kWidest>(search, current); }

template <int kWidth>
__global__ void expand_narrow(Search search, int current) {
  expand_share<kWidth>(search, current);
}

// The kernel whose virtual warps have `width` lanes, a power of two.
auto kernel_of(int width) {
  switch (width) {
    case 1:
      return expand_narrow<1>;
    case 2:
      return expand_narrow<2>;
    case 4:
      return expand_narrow<4>;
    case 8:
      return expand_narrow<8>;
    case 16:
      return expand_narrow<16>;
    default:
      return expand;
  }
}

std::vector<int> offsets_of(const Graph& graph) {
  std::vector<int> offsets;
  for (const workload::Node& node : graph.nodes) offsets.push_back(node.first_edge);
  offsets.push_back(static_cast<int>(graph.edges.size()));
  return offsets;
}

std::vector<int> search_levels(const Graph& graph, const std::vector<int>& sources, int width) {
  const int node_count = static_cast<int>(graph.nodes.size());
  const workload::DeviceArray<int> offsets(offsets_of(graph)), edges(graph.edges);
  const workload::DeviceArray<int> levels(workload::start_levels(graph, sources));
  workload::DeviceArray<unsigned char> again(1);
  const Search search{offsets.get(), edges.get(), levels.get(), reinterpret_cast<bool*>(again.get()), node_count};
  const auto kernel = kernel_of(width);
  const int blocks = (node_count + kBlockNodes - 1) / kBlockNodes;
  int current = 0;
  do {
    again.upload({0});
    kernel<<<blocks, kBlockThreads>>>(search, current++);
    CUDA_CHECK(cudaGetLastError());
  } while (again.download()[0] != 0);
  return levels.download();
}

}  // namespace

int main(int argc, char** argv) {
  int width = kWidest;
  workload::GraphOptions input;
  workload::Options options("bfs_warp", "breadth-first search with virtual warps, checked exactly");
  input.declare(options);
  options.number("--width", width, 1, kWidest, "lanes of a virtual warp, a power of two").parse(argc, argv);
  if ((width & (width - 1)) != 0) workload::fail("--width %d: not a power of two", width);

  const Graph graph = input.graph();
  const std::vector<int> sources = input.sources(graph);
  return workload::conclude(graph, sources, search_levels(graph, sources, width));
}
