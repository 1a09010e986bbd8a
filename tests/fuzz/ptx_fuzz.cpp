// libFuzzer target: any text as PTX is parsed or refused with an Error, and what was parsed prints to text that parses
// to the same.
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
