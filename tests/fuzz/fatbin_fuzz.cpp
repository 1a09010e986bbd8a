// libFuzzer target: any bytes as a fat binary are read or refused with an Error, never more.
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
