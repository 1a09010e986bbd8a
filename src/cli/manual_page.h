// The manual page, made from the help.
#pragma once

#include <string>

#include "cli/command_help.h"

namespace warpfork::cli {

/// A page of section 1 in troff's man macros: synopsis, then every command with its options. `version`: "warpfork
/// 0.1.0".
std::string manual_page(const CommandHelp& program, const std::string& version);

}  // namespace warpfork::cli
