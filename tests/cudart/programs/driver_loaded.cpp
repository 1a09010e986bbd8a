// A program that loads the driver by itself, as scripting languages do.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>

int main() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return std::puts(dlerror()), 1;
  const auto init = reinterpret_cast<decltype(&cuInit)>(dlsym(library, "cuInit"));
  const auto version_of = reinterpret_cast<decltype(&cuDriverGetVersion)>(dlsym(library, "cuDriverGetVersion"));
  const auto count_of = reinterpret_cast<decltype(&cuDeviceGetCount)>(dlsym(library, "cuDeviceGetCount"));
  int version = 0, count = 0;
  const bool works = init(0) == 0 && version_of(&version) == 0 && count_of(&count) == 0;
  std::printf("%s, driver %d, devices %d\n", works ? "works" : "fails", version, count);
}
