// libFuzzer target: any text as a launch file is read or refused with an Error, never more.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "config/launch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    warpfork::config::parse_launch({reinterpret_cast<const char*>(data), size}, "fuzz.toml", "/nonexistent");
  } catch (const warpfork::Error&) {  // refused as it should be
  }
  return 0;
}
