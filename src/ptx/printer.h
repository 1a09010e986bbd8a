// A Module or Instruction back as PTX text. Parsing the text gives an equal Module, source places apart.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpfork::ptx {

/// One instruction without its end of line. Registers are those of `function`. Sample:
///   @!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd4+8];
std::string to_text(const Instruction& instruction, const Function& function);

/// A whole function with head, declarations, labels and body.
std::string to_text(const Function& function);

std::string to_text(const Module& module);

}  // namespace warpfork::ptx
