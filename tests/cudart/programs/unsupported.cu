// Calls what the simulated runtime does not have, twice.
#include <cstdio>

extern "C" int cudaUnbindTexture(const void* texture);

int main() { std::printf("%d %d\n", cudaUnbindTexture(nullptr), cudaUnbindTexture(nullptr)); }
