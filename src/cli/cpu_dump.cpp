#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/cpu.h"
#include "config/toml_text.h"
#include "x86/code.h"
#include "x86/code_image.h"
#include "x86/code_listing.h"

namespace warpfork::cli {

namespace {

struct DumpOptions {
  std::string file, symbol;
};

class Dump {
 public:
  Dump(const std::string& text, const std::string& name)
      : image_({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name), name_(name) {}

  void print_all() {
    for (const x86::CodeSection& section : image_.sections()) print(section.address, section.end());
  }

  /// Functions of a file may share a name.
  void print_symbol(const std::string& name) {
    std::vector<std::string> known;
    for (const x86::CodeSymbol& symbol : image_.symbols()) {
      if (symbol.name != name) {
        known.push_back(symbol.name);
        continue;
      }
      found_ = true;
      print(symbol.address, symbol.address + symbol.size);
    }
    if (!found_)
      throw Error("{}: there is no function '{}'\n  nearest: {}", name_, name,
                  fmt::join(nearest_names(name, known), ", "));
  }

 private:
  void print(std::uint64_t begin, std::uint64_t end) {
    const x86::PlaceName place = [this](std::uint64_t pc) { return image_.place(pc); };
    image_.sweep(begin, end, [&](std::uint64_t pc, std::span<const std::uint8_t> bytes, bool decodes) {
      fmt::print("{}", decodes ? line(pc, bytes, place) : x86::list_bytes(pc, bytes, place, "(no instruction)"));
    });
  }

  std::string line(std::uint64_t pc, std::span<const std::uint8_t> bytes, const x86::PlaceName& place) {
    try {
      return x86::list_instruction(code_.add(pc, bytes), bytes, place);
    } catch (const Error& error) {  // libraries hold versions of their functions that never run here
      const std::string_view message = error.what();
      return x86::list_bytes(pc, bytes, place, fmt::format("({})", message.substr(message.rfind(": ") + 2)));
    }
  }

  x86::CodeImage image_;
  x86::Code code_;
  std::string name_;
  bool found_ = false;
};

void dump(const DumpOptions& options) {
  Dump dump(config::read_text(options.file), options.file);
  options.symbol.empty() ? dump.print_all() : dump.print_symbol(options.symbol);
}

}  // namespace

void add_cpu_dump(CLI::App& cpu, Session&) {
  CLI::App* command = cpu.add_subcommand("dump", "machine code with the µops that a core is given");
  command->footer("docs/x86-decoding.md explains the listing.");
  const auto options = std::make_shared<DumpOptions>();
  command->add_option("FILE", options->file, "x86-64 executable")->required()->option_text("PROGRAM");
  command->add_option("--symbol", options->symbol, "this function only")->type_name("NAME");
  command->callback([options] { dump(*options); });
}

}  // namespace warpfork::cli
