// `warpfork manual`: the help as a manual page.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/manual_page.h"
#include "compiler/compiler.h"
#include "process/version.h"

namespace warpfork::cli {

void add_manual(Command& app, Session&) {
  Command command = app.add_command("manual", "print the manual page, for man(1)");
  command.footer("warpfork manual | man -l -");
  command.when_named([app] {
    CommandHelp help = app.help();
    for (CommandHelp& of : help.commands)
      if (of.name == "cc") of.usage = compiler::compile_usage();  // it reads its options by itself
    fmt::print("{}", manual_page(help, process::version_text()));
  });
}

}  // namespace warpfork::cli
