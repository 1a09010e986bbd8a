// libFuzzer target: any text as PTX is parsed or refused with an Error, and what was parsed prints to text that parses
// to the same.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/ptx_fuzz.cpp src/ptx/*.cpp \
//     src/base/*.cpp -lfmt -o /tmp/ptx_fuzz && /tmp/ptx_fuzz CORPUS tests/data/ptx
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfork;
  std::string printed;
  try {
    printed = ptx::to_text(ptx::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ptx"));
  } catch (const Error&) {  // refused as it should be
    return 0;
  }
  check(ptx::to_text(ptx::parse(printed, "printed.ptx")) == printed, [&] { return printed; });
  return 0;
}
