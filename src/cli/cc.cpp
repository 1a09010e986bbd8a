#include <fmt/format.h>

#include "cli/commands.h"
#include "compiler/compiler.h"
#include "process/install_paths.h"

namespace warpfork::cli {

void add_cc(Command& app, Session& session) {
  Command command = app.add_command("cc", "build a CUDA program with clang, without any NVIDIA package");
  command.passes_all_on();
  command.when_named([&session] {
    if (session.words.size() == 1 && (session.words[0] == "--help" || session.words[0] == "-h")) {
      fmt::print("{}", compiler::compile_usage());
      return;
    }
    session.status = compiler::compile(session.words,
                                       {process::share_folder() / "toolchain" / "include", process::library_folder()});
  });
}

}  // namespace warpfork::cli
