#include "ptx/instruction_text.h"

#include <fmt/format.h>

#include <string_view>

namespace warpfork::ptx {

std::string place_of(const Module& module, const Instruction& instruction) {
  return fmt::format("{}:{}", module.name, instruction.location.line);
}

std::string mnemonic(const Instruction& instruction) {
  std::string text(to_string(instruction.opcode));
  const auto append = [&](std::string_view word) { text.append(".").append(word); };
  const bool memory = instruction.space != StateSpace::Generic;
  if (memory && !instruction.has(Modifier::To)) append(to_string(instruction.space));
  for (const Modifier modifier : instruction.modifiers) append(to_string(modifier));
  if (memory && instruction.has(Modifier::To)) append(to_string(instruction.space));
  if (instruction.vector_width > 1) append(fmt::format("v{}", instruction.vector_width));
  for (const ScalarType type : instruction.types) append(to_string(type));
  return text;
}

}  // namespace warpfork::ptx
