// libFuzzer target: any bytes as x86-64 instructions, one after the other, are decoded to µops that keep the decoder's
// invariants, or refused with an Error, and print either way.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "unit/x86/decoder_invariants.h"
#include "x86/code.h"
#include "x86/code_listing.h"
#include "x86/decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfork;
  x86::Code code;
  const x86::SymbolTable symbols;
  for (std::span<const std::uint8_t> rest(data, size); !rest.empty();) {
    const std::size_t length = x86::instruction_length(rest);
    const auto bytes = rest.first(length == 0 ? 1 : length);
    try {
      const x86::StaticInstruction& instruction = code.add(size - rest.size(), bytes);
      check(length != 0, [] { return "decoded, but without a length"; });
      const std::string broken = x86::broken_invariant(instruction);
      check(broken.empty(), [&] { return broken + "\n" + x86::list_instruction(instruction, bytes, symbols); });
    } catch (const Error&) {  // refused as it should be
    }
    rest = rest.subspan(bytes.size());
  }
  return 0;
}
