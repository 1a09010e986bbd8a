// Completion of the command line in shells, made from the help.
#pragma once

#include <string>

#include "cli/command_help.h"

namespace warpfork::cli {

/// A script for bash: commands by their names, options where a word begins with a dash, files elsewhere.
std::string bash_completion(const CommandHelp& program);
/// The same for zsh, with the descriptions.
std::string zsh_completion(const CommandHelp& program);

}  // namespace warpfork::cli
