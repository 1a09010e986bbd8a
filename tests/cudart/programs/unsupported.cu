// Calls what the simulated runtime does not have, twice.
#include <cstdio>

extern "C" int cudaGraphCreate(void** graph, unsigned flags);

int main() {
  void* graph;
  std::printf("%d %d\n", cudaGraphCreate(&graph, 0), cudaGraphCreate(&graph, 0));
}
