// Calls what the simulated runtime does not have, twice.
#include <cstdio>

extern "C" int cudaFreeMipmappedArray(void* array);

int main() { std::printf("%d %d\n", cudaFreeMipmappedArray(nullptr), cudaFreeMipmappedArray(nullptr)); }
