// PTX text in, Module out: the only door into the room.
#pragma once

#include <string_view>

#include "ptx/module.h"

namespace warpfork::ptx {

/// Parses and checks PTX ISA 1.4 to 9.0 text. `name` stands in messages and in Module::name; WARP_SZ is `warp_size`.
/// Throws Error with file, line, column, the line itself and a caret.
Module parse(std::string_view text, std::string_view name, unsigned warp_size = 32);

}  // namespace warpfork::ptx
