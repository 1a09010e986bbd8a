// The driver's profiler calls, and where a program keeps its device code: its own, as the compiler made it. Prints a
// line for each expectation that does not hold, PASS at the end.
#include <cudaProfiler.h>
#include <elf.h>
#include <fatbinary_section.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "expect.h"

__global__ void nothing() {}

/// A section of this program's file; the linker fills in the addresses that it holds when it is loaded.
static std::string section(const char* name) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Elf64_Ehdr header;
  memcpy(&header, bytes.data(), sizeof header);
  const auto of = [&](unsigned index) {
    Elf64_Shdr found;
    memcpy(&found, bytes.data() + header.e_shoff + index * sizeof found, sizeof found);
    return found;
  };
  const Elf64_Shdr names = of(header.e_shstrndx);
  for (unsigned i = 0; i < header.e_shnum; ++i)
    if (std::strcmp(bytes.data() + names.sh_offset + of(i).sh_name, name) == 0)
      return bytes.substr(of(i).sh_offset, of(i).sh_size);
  return "";
}

int main() {
  EXPECT(cuProfilerStart() == CUDA_ERROR_NOT_INITIALIZED);
  nothing<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cuProfilerStart() == CUDA_SUCCESS && cuProfilerStop() == CUDA_SUCCESS);
  const std::string wrapper = section(FATBIN_CONTROL_SECTION_NAME);
  __fatBinC_Wrapper_t held{};
  EXPECT(wrapper.size() == sizeof held);
  memcpy(&held, wrapper.data(), wrapper.size() < sizeof held ? wrapper.size() : sizeof held);
  EXPECT(held.magic == FATBINC_MAGIC && held.version == FATBINC_VERSION);
  EXPECT(!section(FATBIN_DATA_SECTION_NAME).empty());
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
