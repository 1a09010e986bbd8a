// An executable as the recorder needs it: x86-64, linked statically, with symbols.
#pragma once

#include <string>

#include "x86/line_table.h"
#include "x86/symbol_table.h"

namespace warpfork::x86 {

struct ElfProgram {
  SymbolTable symbols;
  LineTable lines;  ///< empty if the program was built without -g
};

/// Throws Error with the reason and the remedy if the program cannot be recorded.
ElfProgram read_elf_program(const std::string& path);

}  // namespace warpfork::x86
