// `warpfork manual`: the help as a manual page.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/manual_page.h"
#include "process/version.h"

namespace warpfork::cli {

void add_manual(Command& app, Session&) {
  Command command = app.add_command("manual", "print the manual page, for man(1)");
  command.footer("warpfork manual | man -l -");
  command.when_named([app] { fmt::print("{}", manual_page(app.help(), process::version_text())); });
}

}  // namespace warpfork::cli
