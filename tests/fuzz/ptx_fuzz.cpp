// libFuzzer target: any text as PTX is parsed or refused with an Error, what was parsed prints to text that parses to
// the same, and it is linked with itself or refused.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ptx/linker.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfork;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    ptx::link(std::vector{text, text}, "fuzz.ptx");
  } catch (const Error&) {
  }
  std::string printed;
  try {
    printed = ptx::to_text(ptx::parse(text, "fuzz.ptx"));
  } catch (const Error&) {  // refused as it should be
    return 0;
  }
  check(ptx::to_text(ptx::parse(printed, "printed.ptx")) == printed, [&] { return printed; });
  return 0;
}
