// libFuzzer target: any bytes as a fat binary are read or refused with an Error, never more.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/fatbin_fuzz.cpp \
//     src/cuda/image/fat_binary.cpp -lfmt -lzstd -llz4 -o /tmp/fatbin_fuzz
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "cuda/image/fat_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const warpfork::cuda::FatBinary binary(std::as_bytes(std::span(data, size)));
    for (const auto& entry : binary.entries()) warpfork::cuda::ptx_text(entry);
    binary.best_ptx();
  } catch (const warpfork::Error&) {  // refused as it should be
  }
  return 0;
}
