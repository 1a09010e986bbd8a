// A program without kernels, which is linked with a library that has one and loads others: those that it is told.
#include <dlfcn.h>

#include "expect.h"

extern "C" int multiplied(int number);

/// What the library's function of that name makes of 5.
static int of_library(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::printf("%s\n", dlerror());
  const auto function = reinterpret_cast<int (*)(int)>(dlsym(library, "multiplied"));
  const int result = function(5);
  EXPECT(dlclose(library) == 0);
  return result;
}

int main(int count, char** files) {
  EXPECT(multiplied(5) == 10);
  for (int i = 1; i < count; ++i) EXPECT(of_library(files[i]) == 15);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
