#include "compiler/contraction.h"

#include <array>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::array<std::string_view, 4> kInstructions{"fadd ", "fsub ", "fmul ", "fneg "};
constexpr std::string_view kMay = "contract ", kMayAll = "fast ";

std::string permitted(std::string_view line) {
  constexpr std::string_view kAssigned = " = ";
  const auto at = line.find(kAssigned);
  if (at == std::string_view::npos) return std::string(line);
  const std::string_view instruction = line.substr(at + kAssigned.size());
  for (const std::string_view name : kInstructions)
    if (instruction.starts_with(name) && instruction.find(kMay) == std::string_view::npos &&
        instruction.find(kMayAll) == std::string_view::npos)
      return std::string(line).insert(at + kAssigned.size() + name.size(), kMay);
  return std::string(line);
}

}  // namespace

std::string with_contraction(std::string_view llvm) { return each_line(llvm, permitted); }

}  // namespace warpfork::compiler
