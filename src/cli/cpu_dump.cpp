#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/error.h"
#include "cli/cpu.h"
#include "x86/code.h"
#include "x86/code_image.h"
#include "x86/code_listing.h"
#include "x86/named_functions.h"
#include "x86/recording.h"
#include "x86/recording_file.h"

namespace warpfork::cli {

namespace {

struct DumpOptions {
  std::string file, symbol;
};

struct Range {
  std::uint64_t begin = 0, end = 0;
};

/// Functions of that name, which may have several symbols each.
std::vector<Range> ranges_of(const x86::SymbolTable& symbols, const DumpOptions& options) {
  const x86::NamedFunctions named(options.symbol, symbols, options.file);
  std::map<std::uint64_t, std::uint64_t> ends;  // by address
  for (const x86::Symbol& symbol : symbols.all())
    if (symbol.is_function && named.addresses().contains(symbol.address))
      ends[symbol.address] = std::max(ends[symbol.address], symbol.address + symbol.bytes);
  std::vector<Range> ranges;
  for (const auto& [begin, end] : ends) ranges.push_back({begin, end});
  return ranges;
}

std::string listed(x86::Code& code, std::uint64_t pc, std::span<const std::uint8_t> bytes,
                   const x86::SymbolTable& symbols) {
  try {
    return x86::list_instruction(code.add(pc, bytes), bytes, symbols);
  } catch (const Error& error) {  // libraries hold versions of their functions that never run here
    const std::string_view message = error.what();
    return x86::list_bytes(pc, bytes, symbols, fmt::format("({})", message.substr(message.rfind(": ") + 2)));
  }
}

void dump_program(const DumpOptions& options) {
  const x86::CodeImage image(options.file);
  x86::Code code;
  const auto print = [&](std::uint64_t pc, std::span<const std::uint8_t> bytes, bool decodes) {
    fmt::print("{}", decodes ? listed(code, pc, bytes, image.symbols())
                             : x86::list_bytes(pc, bytes, image.symbols(), "(no instruction)"));
  };
  if (options.symbol.empty()) {
    for (const x86::CodeSection& section : image.sections()) image.sweep(section.address, section.end(), print);
    return;
  }
  for (const Range& range : ranges_of(image.symbols(), options)) image.sweep(range.begin, range.end, print);
}

/// The instructions that were executed, with an empty line where some were not.
void dump_recording(const DumpOptions& options) {
  const x86::Recording recording(options.file);
  std::vector<Range> ranges = {{0, ~std::uint64_t{0}}};
  if (!options.symbol.empty()) ranges = ranges_of(recording.symbols(), options);
  bool was_executed = options.symbol.empty();
  for (const Range& range : ranges) {
    std::optional<std::uint64_t> expected;
    for (const x86::StaticInstruction* const instruction : recording.code().all()) {
      const std::uint64_t pc = instruction->pc;
      if (pc < range.begin || pc >= range.end) continue;
      was_executed = true;
      if (expected && *expected != pc) fmt::print("\n");
      fmt::print("{}", x86::list_instruction(*instruction, recording.code().bytes(pc), recording.symbols()));
      expected = instruction->fall_through();
    }
  }
  if (!was_executed)
    throw Error(
        "{}: nothing of '{}' was executed in what was recorded\n  the compiler may have put it into the functions that "
        "call it; without --symbol all that was executed is listed",
        options.file, options.symbol);
}

}  // namespace

void add_cpu_dump(Command& cpu, Session&) {
  Command command = cpu.add_command("dump", "machine code of a program or a recording, with the µops of a core");
  command.footer("Of a recording only what was executed is listed. docs/x86-decoding.md explains the listing.");
  const auto options = std::make_shared<DumpOptions>();
  command.add_option("FILE", options->file, "static x86-64 executable, or recording")
      .required()
      .help_name("PROGRAM|FILE.wft");
  command.add_option("--symbol", options->symbol, "this function only; of C++ also as c++filt prints it, \"work(int)\"")
      .value_name("NAME");
  command.when_named(
      [options] { x86::is_recording(options->file) ? dump_recording(*options) : dump_program(*options); });
}

}  // namespace warpfork::cli
