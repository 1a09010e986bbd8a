// Whether what a command line of `warpfork cc` asks for can be done.
#pragma once

#include "compiler/compile_options.h"

namespace warpfork::compiler {

/// Throws Error if there is nothing to compile, or no file for what is to be written, if a source is missing or of
/// another kind, or if a file that is read would be overwritten.
void require_sense(const CompileOptions& options);

}  // namespace warpfork::compiler
