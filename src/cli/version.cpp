#include "process/version.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace warpfork::cli {

void add_version(Command& app, Session&) {
  app.add_command("version", "print version and commit").when_named([] {
    fmt::print("{}\n", process::version_text());
  });
}

}  // namespace warpfork::cli
