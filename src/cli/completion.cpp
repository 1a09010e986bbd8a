// `warpfork completion`: what a shell needs to complete the command line.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/shell_completion.h"

namespace warpfork::cli {

void add_completion(Command& app, Session&) {
  Command command = app.add_command("completion", "print the completion script of a shell: bash or zsh");
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash or zsh").required();
  command.footer("For this session: source <(warpfork completion bash). An installed warpfork needs nothing.");
  command.when_named([app, shell] {
    if (*shell != "bash" && *shell != "zsh")
      throw Error("{}", no_such_name("shell", *shell, "shells", {"bash", "zsh"}));
    fmt::print("{}", *shell == "bash" ? bash_completion(app.help()) : zsh_completion(app.help()));
  });
}

}  // namespace warpfork::cli
