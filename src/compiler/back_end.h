// What clang's back end is told for the device: LLVM's NVPTX.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile_options.h"

namespace warpfork::compiler {

/// Number of the architecture that the options name, and of the nearest one that clang has code for.
unsigned architecture(const CompileOptions& options);
unsigned clangs_architecture(const CompileOptions& options);

/// Whether a product and a sum become one instruction wherever they meet: clang's default for the device.
bool fuses(const CompileOptions& options);

/// Options of clang's driver for PTX, whatever it begins with.
std::vector<std::string> back_end_words(const CompileOptions& options, unsigned clang_version);

/// The same and more for PTX of LLVM's text, of which the driver knows less than of a CUDA source; the instructions are
/// the same.
std::vector<std::string> back_end_words_for_llvm(const CompileOptions& options, unsigned clang_version);

}  // namespace warpfork::compiler
