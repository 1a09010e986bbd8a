// Kernels before and after the passes, as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "lower/lower.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

namespace warpfork::lower {

/// A module with an entry `k` around the body: registers %r, %rd, %f, %h of eight each, predicates %p.
inline std::string module_text(const std::string& body, const std::string& functions = "") {
  return ".version 7.0\n.target sm_70\n.address_size 64\n" + functions +
         "\n.visible .entry k(.param .u64 p) {\n"
         ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .b16 %h<8>; .reg .pred %p<8>;\n" +
         body + "\n}\n";
}

/// The entry, the only system call being `vprintf`.
inline ptx::Function lowered(const std::string& body, const std::string& functions = "",
                             std::size_t most_copied = kMostCopied) {
  const ptx::Module module = ptx::parse(module_text(body, functions), "t.ptx");
  return lower(module, *module.find_function("k"),
               {[](std::string_view name) { return name == "vprintf"; }, kStackBytes, most_copied});
}

/// Its instructions, each as PTX, branches with the index of their target behind them.
inline std::vector<std::string> lines(const ptx::Function& function) {
  std::vector<std::string> all;
  for (const ptx::Instruction& instruction : function.body) {
    std::string text = ptx::to_text(instruction, function);
    for (const ptx::Operand& operand : instruction.operands)
      if (const auto* label = operand.as<ptx::LabelOperand>()) text += " -> " + std::to_string(label->target);
    all.push_back(text);
  }
  return all;
}

inline std::vector<std::string> lowered_lines(const std::string& body, const std::string& functions = "") {
  return lines(lowered(body, functions));
}

/// What the passes say of an entry that they refuse; fails the test if they take it.
inline std::string refusal(const std::string& body, const std::string& functions = "") {
  try {
    lowered(body, functions);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused: " << body;
  return {};
}

}  // namespace warpfork::lower
