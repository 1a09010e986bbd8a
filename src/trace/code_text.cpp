#include "trace/code_text.h"

#include <fmt/format.h>

#include "ptx/printer.h"
#include "trace/event_writer.h"

namespace warpfork::trace {

namespace {

/// "bra" of "@%p1 bra DONE;"
std::string operation_of(const std::string& text) {
  const std::size_t begin = text.starts_with('@') ? text.find(' ') + 1 : 0;
  return text.substr(begin, text.find_first_of(" ;", begin) - begin);
}

}  // namespace

CodeText::CodeText(const simt::Program& program) {
  for (Pc pc = 0; pc < program.code.size(); ++pc) {
    const ptx::Instruction& instruction = program.function->body[pc];
    const std::string text = ptx::to_text(instruction, *program.function);
    instructions_.push_back(
        {operation_of(text),
         fmt::format(R"("pc":{},"place":{},"instruction":{})", pc,
                     json_text(program.module->place_text(instruction.location)), json_text(text))});
  }
}

}  // namespace warpfork::trace
